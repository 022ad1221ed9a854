# SPDX-License-Identifier: Apache-2.0
#
# oclgrind_test.sh: a part of the conformance suite on oclgrind's simulator, which sees races between work-items, values that
# nothing has written, accesses outside of buffers and wrong calls of OpenCL. Its log must stay empty, whatever its exit code.
#
# A part, and no conversions: a dtype's cases take a minute there, its conversions several. One group of cases a run, since
# each process opens the log anew. It counts the shared arrays of all kernels of a program as one kernel's, so it gets more.
. "$TS_SOURCE_DIR/tests/lib.sh"
need oclgrind "oclgrind is not installed" command -v oclgrind
use_plain

cd "$TS_SOURCE_DIR"

# simulate COMMAND...: its output goes to the file output, what oclgrind has to say to the file log.
simulate() {
  : >"$scratch/log"
  oclgrind --data-races --uninitialized --check-api --local-mem-size 131072 --build-options -cl-opt-disable --log "$scratch/log" "$@" \
    >"$scratch/output" 2>&1
}
log_is_empty() { [ ! -s "$scratch/log" ] || { head -n 40 "$scratch/log" && return 1; }; }

# conforms GLOB...: these cases pass there, and the log is empty. Copies are those of a GPU, though it calls itself a CPU.
conforms() {
  set -f
  # shellcheck disable=SC2046 # a list of options, without blanks in them
  simulate "$TS_BUILD_DIR/tensorstorage" conform --standard CL1.2 --define TS_GROUP_IS_SERIAL=0 --device cl:0:0 \
    $(printf -- '--filter %s ' "$@") ||
    { cat "$scratch/output" && return 1; }
  tail -n 1 "$scratch/output" >&3
  grep -q '^device .*Oclgrind Simulator' "$scratch/output" || { echo "this is not oclgrind" && return 1; }
  log_is_empty
}

exec 3>&1
expect "cases of f32" conforms 'load.f32x4.*.align?' 'store.f32x4.*' 'order.f32x1.*' 'cast.f32.global.to.u32.*' 'offset.f32.*' \
  'distance.f32.*' 'null.f32.*' 'empty.f32.*' 'size.f32x4'
expect "cases of f16" conforms 'load.f16x4.*.align?' 'store.f16x4.*.align?' 'order.f16x1.global*'
expect "layouts that are known at run time, and copies between them" conforms 'layout.*.?' 'copy_dynamic.*.[01]' 'copy_dynamic_case.group.*'
expect "copies by way of shared memory" conforms 'copy_through.*.7x1' 'copy_edge.shared.*.7'
expect "asynchronous copies" conforms 'copy_async.f32.*'
expect "copies at random, by one work-item and by groups" conforms 'copy_random.?.*' 'copy_random_by_group.?.*'
expect "cases of groups, barriers and arguments" conforms 'ids.*' 'barrier.*' 'argument.*' 'constant.*' 'declared.*'

expect "scale runs" simulate "$TS_BUILD_DIR/examples/run_scale" cl:0:0
expect "scale leaves the log empty" log_is_empty

# Its compiler does not heed #line; the user's line is told all the same.
sed 's/v \* a/w * a/' examples/scale.c >"$scratch/wrong.c"
tells_the_line() {
  ! simulate "$TS_BUILD_DIR/examples/run_scale" cl:0:0 "$scratch/wrong.c" || return 1
  grep -A 2 'wrong.c:21:$' "$scratch/output" | grep -q '^ \{36\}^$'
}
expect "a build error tells the user's line" tells_the_line

# What it must notice: each item reads what its neighbour wrote, and no barrier stands between.
sed '/ts_barrier();/d; s/\(ts_load(ts_shared, f32, 4, tile, \)in_tile/\1(in_tile + 4) % 1024/' examples/scale.c \
  >"$scratch/race.c"
simulate "$TS_BUILD_DIR/examples/run_scale" cl:0:0 "$scratch/race.c" || :
expect "a race is logged" grep -q 'data race' "$scratch/log"
sed 's/\(ts_store(ts_global, f32, 4, y, \)i/\1i + 4/' examples/scale.c >"$scratch/outside.c"
simulate "$TS_BUILD_DIR/examples/run_scale" cl:0:0 "$scratch/outside.c" || :
expect "a store outside of the buffer is logged" grep -q 'Invalid write' "$scratch/log"
finish
