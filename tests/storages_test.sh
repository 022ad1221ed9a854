# SPDX-License-Identifier: Apache-2.0
#
# storages_test.sh: storages of one's own: what an access through those of examples/storages/ becomes, that no compiler warns of
# them, and the example of docs/storages.md: it is examples/ring.c, and runs.
#
#   storages_test.sh TARGET    compute_75, compute_90, spirv or x86: instructions for it
#   storages_test.sh ring      the example
. "$TS_SOURCE_DIR/tests/lib.sh"
target=$1
tool=$TS_BUILD_DIR/tensorstorage
cd "$TS_SOURCE_DIR"

# ---- the example ------------------------------------------------------------------------------------------------------------

if [ "$target" = ring ]; then
  need cc "there is no C compiler" command -v "$CC"
  sed -n '/^```c$/,/^```$/p' docs/storages.md | sed '1d; $d' >"$scratch/ring.c"
  expect "the example of docs/storages.md is examples/ring.c" diff "$scratch/ring.c" examples/ring.c

  # 0 … 63 in a ring: the mean of neighbours is the element itself, but where the ends meet: (63 + 2 * 0 + 1) / 4 and
  # (62 + 2 * 63 + 0) / 4.
  echo "16 $(seq -s ' ' 1 62) 47" >"$scratch/expected"
  cat >"$scratch/count.c" <<'END'
#include "tensorstorage.h"
TS_KERNEL(count, (TS_GLOBAL_ARG(f32) x_cells)) {
  ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, x_cells), ts_global_id(0), (float)ts_global_id(0), 0);
}
END
  expect "there is an input" "$tool" run "$scratch/count.c" --device host --items 64 --arg x_cells="$scratch/x.npy":f32:64
  runs() {
    "$2" run examples/ring.c --device "$1" --items 64 --group 32 --arg x_cells=@"$scratch/x.npy" --arg y_cells=-:f32:64 \
      --arg count=64 >"$scratch/out" 2>"$scratch/err" || { cat "$scratch/out" "$scratch/err" && return 1; }
    tail -n 1 "$scratch/out" >"$scratch/got"
    diff "$scratch/expected" "$scratch/got"
  }
  expect "the ring's ends meet on the host" runs host "$tool"
  expect "and on cuda-shim" runs cuda-shim "${tool}_cuda_shim"
  [ "$failures" = 0 ] || finish # a skip hides nothing
  use_pocl
  expect "and on PoCL" runs cl:0:0 "$tool"
  finish
fi

# ---- instructions -------------------------------------------------------------------------------------------------------------

# shows: the tool can show this target here.
cat >"$scratch/any.c" <<'END'
#include "tensorstorage.h"
TS_KERNEL(any, (TS_GLOBAL_ARG(f32) y_cells)) { ts_store(ts_global, f32, 1, ts_bind(ts_global, f32, y_cells), 0, 0.0f, 0); }
END
case $target in
  compute_*) need cuda "NVRTC is not installed" "$tool" build "$scratch/any.c" --target "$target" ;;
  spirv) need llvm-spirv "llvm-spirv or spirv-tools is not installed" "$tool" show "$scratch/any.c" --target spirv ;;
  x86) need clang "clang is not installed" "$tool" show "$scratch/any.c" --target x86 ;;
esac

# Four f32 that start 16, 24 and 20 bytes behind an address aligned to 64, to four that are an element of a vectorised storage.
# No access promises anything, or the wrong thing: the types know.
{
  cat <<'END'
#include "storages/scaled.h"
#include "storages/static_offset.h"
#include "storages/swizzled.h"
#include "storages/vectorised.h"
VECTORISED(fours, ts_global, f32, 4, TS_NON_TEMPORAL)
STATIC_OFFSET_CONST(at_4, ts_global_const, f32, 4, TS_ALIGN(64) | TS_INVARIANT)
STATIC_OFFSET_CONST(at_6, ts_global_const, f32, 6, TS_ALIGN(64) | TS_INVARIANT)
STATIC_OFFSET_CONST(at_5, ts_global_const, f32, 5, TS_ALIGN(64) | TS_INVARIANT)
END
  for start in 4 6 5; do
    cat <<END
TS_KERNEL(from_$start, (TS_GLOBAL_CONST_ARG(f32) x_cells, TS_GLOBAL_ARG(f32) y_cells)) {
  at_${start}_f32 x = at_${start}_bind_f32(ts_bind(ts_global_const, f32, x_cells));
  fours_f32 y = fours_bind_f32(ts_bind(ts_global, f32, y_cells));
  ts_index i = 4 * (ts_index)ts_global_id(0);
  ts_store(fours, f32, 4, y, i, ts_load(at_$start, f32, 4, x, i, TS_ALIGN($((start == 4 ? 4 : 16)))), 0);
}
END
  done
} >"$scratch/starts.c"

case $target in
  compute_*)
    cat >"$scratch/expected" <<'END'
from_4 ld.global.nc.v4.f32
from_4 st.global.cs.v4.f32
from_6 ld.global.nc.v2.f32
from_6 ld.global.nc.v2.f32
from_6 st.global.cs.v4.f32
from_5 ld.global.nc.f32
from_5 ld.global.nc.f32
from_5 ld.global.nc.f32
from_5 ld.global.nc.f32
from_5 st.global.cs.v4.f32
END
    ;;
  spirv)
    cat >"$scratch/expected" <<'END'
from_4 OpLoad Aligned 16
from_4 OpStore Aligned|Nontemporal 16
from_6 OpLoad Aligned 8
from_6 OpStore Aligned|Nontemporal 16
from_5 OpLoad Aligned 4
from_5 OpStore Aligned|Nontemporal 16
END
    ;;
  x86)
    cat >"$scratch/expected" <<'END'
from_4 vmovaps
from_4 vmovntps
from_6 vmovups
from_6 vmovntps
from_5 vmovups
from_5 vmovntps
END
    ;;
esac
# Lines of kernels and of their instructions, as "kernel instruction".
shows() {
  "$tool" show "$scratch/starts.c" --target "$target" -I examples >"$scratch/out" || return 1
  awk '/^[a-z]/ { kernel = $1 } /^  starts/ { sub(/^ *[^ ]*  */, ""); sub(/  .*/, ""); print kernel, $0 }' "$scratch/out" >"$scratch/got"
  diff "$scratch/expected" "$scratch/got"
}
expect "accesses are as wide as the storages prove" shows

# ---- warnings -------------------------------------------------------------------------------------------------------------------

quiet() {
  "$@" -I . -I examples "$scratch/starts.c" >"$scratch/log" 2>&1 && [ ! -s "$scratch/log" ] && return 0
  cat "$scratch/log"
  return 1
}
case $target in
  x86)
    expect "no warning in C11" quiet "$CC" -std=c11 -pedantic -Wall -Wextra -Wconversion -Wno-psabi -Werror -fsyntax-only
    for standard in CL1.2 CL3.0; do
      expect "no warning in $standard" quiet clang -x cl -cl-std=$standard -Xclang -finclude-default-header --target=x86_64 \
        -pedantic-errors -Wall -Wextra -Werror -fsyntax-only
    done
    ;;
  compute_75)
    need cuda "nvcc is not installed" command -v nvcc
    expect "no warning of nvcc" quiet nvcc -x cu -ptx -Werror all-warnings -o /dev/null
    ;;
esac
finish
