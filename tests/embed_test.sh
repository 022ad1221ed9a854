# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# embed_test.sh: an embedded file comes out of a program as it went in, byte for byte, whatever its bytes are.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cc "there is no C compiler" command -v "$CC"

cat >"$scratch/print.c" <<'END'
#include <stdio.h>
extern const char ts_embedded_text[];
int main(void) { return fputs(ts_embedded_text, stdout) < 0; }
END

# comes_back FILE: embedded, compiled with all warnings as errors, printed, it is the same.
comes_back() {
  cmake -D NAME=text -D FILE="$1" -D OUT="$scratch/text.c" -P "$TS_SOURCE_DIR/cmake/embed.cmake" &&
    "$CC" -std=c11 -pedantic-errors -Wall -Wextra -Wconversion -Werror "$scratch/text.c" "$scratch/print.c" \
      -o "$scratch/print" &&
    "$scratch/print" | cmp - "$1"
}

printf 'a "quoted" \\ back\\n slash; [brackets] ${not_a_variable} %%d ??/\n\ttab\r\nno newline at the end' >"$scratch/hard"
: >"$scratch/empty"
awk 'BEGIN { for (i = 1; i < 256; i++) printf "%c", i }' >"$scratch/bytes"
awk 'BEGIN { for (i = 0; i < 5000; i++) printf "line %d of a long file\n", i }' >"$scratch/long"

expect "quotes, backslashes, brackets and semicolons come back" comes_back "$scratch/hard"
expect "an empty file comes back" comes_back "$scratch/empty"
expect "every byte but 0 comes back" comes_back "$scratch/bytes"
expect "100 KB come back" comes_back "$scratch/long"
finish
