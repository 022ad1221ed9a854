# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# flatten_test.sh: a flattened header means what the header and its parts mean, tried on a small tree made here.
# header_test.sh tries the real one.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"

tree=$scratch/tree
flat=$scratch/flat.h
mkdir -p "$tree/core" "$tree/one" "$tree/two"

cat >"$tree/entry.h" <<'END'
/* SPDX-License-Identifier: Apache-2.0
 *
 * entry.h: the comment of the entry.
 */
#ifndef ENTRY_H
#define ENTRY_H
#include "core/always.h"
#if defined(LANGUAGE_ONE)
#include "one/prelude.h"
#elif defined(LANGUAGE_TWO)
#  include "two/prelude.h" /* a comment */
#else
#include "missing/prelude.h"
#endif
#ifndef NO_CORE
#include "core/code.h"
#endif
#endif
END
cat >"$tree/core/always.h" <<'END'
/* SPDX-License-Identifier: Apache-2.0
 *
 * always.h: the comment of a part.
 */
#ifndef CORE_ALWAYS_H
#define CORE_ALWAYS_H
/* brackets [ and ; and \ and " must survive */
#define TEXT "a;b\n[c] \\ ]" 'x'; \
  ${not_a_variable} @nor_this@
#define PASTE(a, b) a##b
#include <stddef.h>
#include "base.h"
#endif
END
cat >"$tree/core/base.h" <<'END'
#ifndef CORE_BASE_H
#define CORE_BASE_H
#endif
END
cat >"$tree/core/code.h" <<'END'
#ifndef CORE_CODE_H
#define CORE_CODE_H
#include "always.h"
#include "base.h"
#include "helper.h"
int code[] = {HELPER, PRELUDE}; TEXT PASTE(x, y)
#endif
END
cat >"$tree/core/helper.h" <<'END'
#ifndef CORE_HELPER_H
#define CORE_HELPER_H
#define HELPER 7
#endif
END
for language in one two; do
  cat >"$tree/$language/prelude.h" <<END
#include "../core/helper.h"
#include "core/always.h"
#include "own.h"
END
  echo "#define PRELUDE ${language}_HELPER" >"$tree/$language/own.h"
done

flatten() { cmake -D ROOT="$tree" -D ENTRY=entry.h -D OUT="$flat" "$@" -P "$TS_SOURCE_DIR/cmake/flatten.cmake"; }

# The tokens and macros that file $1 leaves, preprocessed with the options that follow.
tokens() {
  file=$1
  shift
  "$CC" -E -dD -P -x c -I "$tree" "$@" "$file" | tr -s ' \n\t' '\n'
}

same_tokens() {
  tokens "$tree/entry.h" "$@" >"$scratch/parts.tokens"
  tokens "$flat" "$@" >"$scratch/flat.tokens"
  cmp "$scratch/parts.tokens" "$scratch/flat.tokens"
}

# The number of lines of the flattened file that match $1 is $2.
lines_are() { [ "$(grep -c -e "$1" "$flat")" = "$2" ]; }

expect "a tree is flattened" flatten
expect "language one has the same tokens" same_tokens -DLANGUAGE_ONE
expect "language two has the same tokens" same_tokens -DLANGUAGE_TWO
expect "and they are those of its own prelude" grep -q two_HELPER "$scratch/flat.tokens"
expect "without core, the same tokens" same_tokens -DLANGUAGE_ONE -DNO_CORE
expect "no include of a part is left" lines_are 'include *"' 0
expect "includes of the system stay" lines_are '#include <stddef.h>' 1
expect "the entry keeps its comment" lines_are 'the comment of the entry' 1
expect "a part loses its comment" lines_are 'the comment of a part' 0
expect "a line says where a part begins" lines_are '^/\* ---- core/always.h ---- \*/$' 1
expect "a part that was certainly read is not repeated" lines_are 'define CORE_ALWAYS_H' 1
expect "nor is one that another part has read" lines_are 'define CORE_BASE_H' 1
expect "a part of two branches is in both, and where neither was taken" lines_are 'define CORE_HELPER_H' 3

expect "a missing part is an error that names it" \
  sh -c '"$0" -E -x c "$1" 2>&1 >/dev/null | grep "error.*there is no missing/prelude.h"' "$CC" "$flat"

# The line in which the flattened file says it.
line_of() { grep -n -e "$1" "$flat" | cut -d : -f 1; }
line=$(line_of 'int code')
expect "a tree is flattened without a part" flatten -D WITHOUT="two/prelude.h;missing/prelude.h"
expect "nothing of the part is left" lines_are two_HELPER 0
expect "nor in the other languages missing" same_tokens -DLANGUAGE_ONE
expect "other lines keep their numbers" [ "$(line_of 'int code')" = "$line" ]
expect "a language that needs it is told so" \
  sh -c '"$0" -E -x c -DLANGUAGE_TWO "$1" 2>&1 >/dev/null | grep "error.*this copy of entry.h is without two/prelude.h"' "$CC" "$flat"

echo '#if 1' >>"$tree/core/helper.h"
expect "an open #if is refused" sh -c '! "$@"' - cmake -D ROOT="$tree" -D ENTRY=entry.h -D OUT="$flat" \
  -P "$TS_SOURCE_DIR/cmake/flatten.cmake"
finish
