# SPDX-License-Identifier: Apache-2.0
#
# conform_test.sh: the conformance suite on one device: nothing fails, and no fewer cases pass than are known to.
#
#   conform_test.sh MINIMUM DEVICE [OPTION OF conform...]
#
# DEVICE is one of
#   pocl, intel          by the tool without sanitizers; intel is the driver that `./dev drivers` installs
#   pocl_sanitized       by the tool with them
#   host, cuda_shim      with sanitizers in kernels, too
#   host_clang, cuda_shim_clang, cuda_shim_plain
#                        without sanitizers; the first two with clang as the compiler of kernels
#   opencl_x86, opencl_x86_pointers
#                        the first with one check less: of overflows in pointers' arithmetic, for which 0 added to a null
#                        pointer is one
. "$TS_SOURCE_DIR/tests/lib.sh"

minimum=$1
device=$2
tool=tensorstorage
shift 2
case $device in
  pocl | pocl_sanitized)
    use_pocl
    [ "$device" = pocl_sanitized ] || use_plain
    device=cl:0:0
    ;;
  intel)
    need intel "there is no driver of Intel; ./dev drivers installs it" [ -e "$TS_SOURCE_DIR/drivers/icd" ]
    export OCL_ICD_VENDORS="$TS_SOURCE_DIR/drivers/icd"
    use_plain
    device=cl:0:0
    ;;
  host_clang)
    need clang "clang is not installed" command -v clang
    export CC=clang TENSORSTORAGE_HOST_FLAGS=
    use_plain
    device=host
    ;;
  cuda_shim*)
    case $device in
      *_clang) use_plain && export CXX=clang++ TENSORSTORAGE_HOST_FLAGS= ;;
      *_plain) use_plain && export TENSORSTORAGE_HOST_FLAGS= ;;
      *) export TENSORSTORAGE_HOST_FLAGS="${TENSORSTORAGE_HOST_FLAGS-} -O0" ;; # optimised, they take hours to compile
    esac
    need "$CXX" "$CXX is not installed" command -v "$CXX"
    tool=tensorstorage_cuda_shim
    device=cuda-shim
    ;;
  opencl_x86*)
    need clang "clang is not installed" command -v clang
    export TENSORSTORAGE_CLANG=clang
    case $device in *_pointers) ;; *) export TENSORSTORAGE_HOST_FLAGS="${TENSORSTORAGE_HOST_FLAGS-} -fno-sanitize=pointer-overflow" ;; esac
    tool=tensorstorage_opencl_x86
    device=opencl-x86
    ;;
esac

cd "$scratch" # PoCL leaves files where it fails
status=0
"$TS_BUILD_DIR/$tool" conform --device "$device" "$@" >"$scratch/out" 2>&1 || status=$?
passed=$(sed -n 's/^\([0-9]*\) passed, 0 failed, [0-9]* skipped, 0 errors.*/\1/p' "$scratch/out")
if [ "$status" != 0 ] || [ "${passed:-0}" -lt "$minimum" ]; then
  cat "$scratch/out"
  echo "FAILED: exit code $status; at least $minimum cases must pass, and none may fail"
  exit 1
fi
tail -n 1 "$scratch/out"
finish
