# SPDX-License-Identifier: Apache-2.0
#
# run_scale_test.sh: the example program runs its kernel on the host, on PoCL and on cuda-shim, is C++ too, and notices a wrong result.
. "$TS_SOURCE_DIR/tests/lib.sh"
use_pocl

cd "$TS_SOURCE_DIR"
run_scale=$TS_BUILD_DIR/examples/run_scale
for device in host cl:0:0; do
  expect "scale on $device" exits 0 "$run_scale" $device
  expect "all elements are right on $device" says "scale on $device ("
  expect "all elements are right on $device" says "1024 of 1024 elements right"
done
expect "the device may be chosen by the environment" exits 0 env TENSORSTORAGE_DEVICE=host "$run_scale"
expect "it is the device that was chosen" says "scale on host ("

sed 's/v \* a/v + a/' examples/scale.c >"$scratch/wrong.c"
expect "a wrong kernel exits with 1" exits 1 "$run_scale" host "$scratch/wrong.c"
sed 's/v \* a/w * a/' examples/scale.c >"$scratch/broken.c"
expect "a kernel that does not build exits with 1" exits 1 "$run_scale" host "$scratch/broken.c"
expect "the broken line is shown" complains "y, i, w * a"
expect "a device that is not there exits with 1" exits 1 "$run_scale" cl:9:9
expect "a file that is not there exits with 1" exits 1 "$run_scale" host "$scratch/no such file"
expect "and it is told how to name another" complains "Say where the kernel is: run_scale DEVICE FILE"
cp "$run_scale" examples/scale.c "$scratch"
elsewhere() { (cd "$scratch" && ./run_scale host scale.c); }
expect "copied, it runs the kernel that it is given" exits 0 elsewhere
expect "all elements are right there" says "1024 of 1024 elements right"

# The same program as C++, linked with the same library and with its sanitizers.
need "$CXX" "$CXX is not installed" command -v "$CXX"
# shellcheck disable=SC2086 # a list of options
expect "the program compiles as C++" "$CXX" -x c++ -std=c++20 -Wall -Wextra -Wno-missing-field-initializers -Werror ${TENSORSTORAGE_HOST_FLAGS-} -I host \
  -o "$scratch/run_scale" examples/run_scale.c -x none "$TS_BUILD_DIR/libtensorstorage.a" -lOpenCL -lmcpp -lm -lpthread -ldl
expect "the C++ program runs" exits 0 "$scratch/run_scale" host

expect "scale on cuda-shim" exits 0 "$TS_BUILD_DIR/tests/cuda_shim/run_scale_cuda_shim" cuda-shim
expect "all elements are right on cuda-shim" says "scale on cuda-shim ("
expect "all elements are right on cuda-shim" says "1024 of 1024 elements right"
finish
