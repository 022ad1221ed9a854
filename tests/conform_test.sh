# SPDX-License-Identifier: Apache-2.0
#
# conform_test.sh: the conformance suite on one device: nothing fails, and no fewer cases pass than are known to.
#
#   conform_test.sh MINIMUM DEVICE [OPTION OF conform...]
#
# DEVICE is pocl, host, or host_clang: the host with clang as the compiler of kernels, which then have no sanitizers.
. "$TS_SOURCE_DIR/tests/lib.sh"

minimum=$1
device=$2
shift 2
case $device in
  pocl)
    use_pocl
    device=cl:0:0
    ;;
  host_clang)
    need clang "clang is not installed" command -v clang
    export CC=clang TENSORSTORAGE_HOST_FLAGS=
    device=host
    ;;
esac

status=0
"$TS_BUILD_DIR/tensorstorage" conform --device "$device" "$@" >"$scratch/out" 2>&1 || status=$?
passed=$(sed -n 's/^\([0-9]*\) passed, 0 failed, [0-9]* skipped, 0 errors.*/\1/p' "$scratch/out")
if [ "$status" != 0 ] || [ "${passed:-0}" -lt "$minimum" ]; then
  cat "$scratch/out"
  echo "FAILED: exit code $status; at least $minimum cases must pass, and none may fail"
  exit 1
fi
tail -n 1 "$scratch/out"
finish
