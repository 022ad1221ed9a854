# SPDX-License-Identifier: Apache-2.0
#
# fuzz_copy_test.sh: fuzz_copy on one device, with its own seed: all pairs come out right.
#
#   fuzz_copy_test.sh pocl | host | cuda_shim [OPTION of fuzz_copy...]
#
# Kernels are built with little optimisation, and of the sanitizers with that of alignment alone: they are large, and take long
# to compile. cuda-shim checks every address by itself.
. "$TS_SOURCE_DIR/tests/lib.sh"

device=$1
shift
flags=-O1
case $device in
  pocl)
    use_pocl
    device=cl:0:0
    ;;
  host)
    case ${TENSORSTORAGE_HOST_FLAGS-} in *sanitize*) flags="-O1 -fsanitize=alignment -fno-sanitize-recover=all" ;; esac
    ;;
  cuda_shim)
    need "$CXX" "$CXX is not installed" command -v "$CXX"
    device=cuda-shim
    ;;
esac
export TENSORSTORAGE_HOST_FLAGS="$flags"

expect "that nothing was tried is no success" exits 4 "$TS_BUILD_DIR/tests/fuzz_copy" --device "$device" --static 0 --dynamic 0
status=0
"$TS_BUILD_DIR/tests/fuzz_copy" --device "$device" "$@" >"$scratch/out" 2>&1 || status=$?
if [ "$status" != 0 ]; then
  head -n 200 "$scratch/out"
  tail -n 1 "$scratch/out"
  echo "FAILED: exit code $status"
  exit 1
fi
tail -n 1 "$scratch/out"
finish
