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
    use_plain
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

fuzz_copy=$TS_BUILD_DIR/tests/fuzz_copy
refuses() { exits 2 "$fuzz_copy" --device "$device" --static 0 --dynamic 0 "$@" && complains "fuzz_copy: $1 is " && complains "not \"$2\""; }
for option in --seed --static --dynamic --pair --dynamic-pair --minutes; do
  for value in -1 +1 1x ' 1' '' 0x1 99999999999999999999x inf; do expect "$option '$value' is refused" refuses "$option" "$value"; done
done
expect "a seed that does not fit is refused" refuses --seed 18446744073709551616
for option in --static --dynamic --pair --dynamic-pair; do
  expect "$option that does not fit is refused" refuses "$option" 4294967296
done
for value in 0 nan 1e999 .; do expect "--minutes $value is refused" refuses --minutes "$value"; done
expect "the largest seed is taken" exits 4 "$fuzz_copy" --device "$device" --seed 18446744073709551615 --static 0 --dynamic 0
expect "so are parts of a minute" exits 4 "$fuzz_copy" --device "$device" --minutes 1e-9 --static 0 --dynamic 0
expect "an option without a value is refused" exits 2 "$fuzz_copy" --seed
expect "by its name" complains "nothing follows --seed"
expect "one that is not there is refused" exits 2 "$fuzz_copy" --sead 1
expect "by its name" complains "there is no option --sead"

expect "that nothing was tried is no success" exits 4 "$fuzz_copy" --device "$device" --static 0 --dynamic 0
status=0
"$fuzz_copy" --device "$device" "$@" >"$scratch/out" 2>&1 || status=$?
if [ "$status" != 0 ]; then
  head -n 200 "$scratch/out"
  tail -n 1 "$scratch/out"
  echo "FAILED: exit code $status"
  exit 1
fi
tail -n 1 "$scratch/out"
finish
