# SPDX-License-Identifier: Apache-2.0
#
# no_driver_test.sh: the tool where OpenCL has no driver: the host is there, and the sentences say what to install.
. "$TS_SOURCE_DIR/tests/lib.sh"

tool=$TS_BUILD_DIR/tensorstorage
mkdir "$scratch/no drivers"
export OCL_ICD_VENDORS="$scratch/no drivers"

expect "devices exits with 0" exits 0 "$tool" devices
expect "devices lists the host" grep -q '^host  ' "$scratch/out"
expect "devices lists nothing else" [ "$(sed '1d; /^$/,$d' "$scratch/out" | wc -l)" = 1 ]
expect "devices says what to install" says "apt install pocl-opencl-icd"

expect "conform on an OpenCL device exits with 3" exits 3 "$tool" conform --device cl:0:0
expect "conform says which device is missing" complains 'there is no device "cl:0:0"'
expect "conform says what to install" complains "apt install pocl-opencl-icd"
expect "nothing is reported" [ ! -s "$scratch/out" ]

expect "build for a driver exits with 3" exits 3 "$tool" build "$TS_SOURCE_DIR/examples/scale.c" --target cl
expect "build says what to install" complains "there is no OpenCL device: install a driver. For OpenCL on the CPU: apt install pocl-opencl-icd"

export TENSORSTORAGE_HOST_FLAGS= # sanitizers in kernels are for other tests
unset TENSORSTORAGE_DEVICE
expect "conform exits with 0" exits 0 "$tool" conform --filter 'load.f32x4.global.*'
expect "its device is the host" grep -q '^device  *host  ' "$scratch/out"
expect "the host conforms" grep -q '^[1-9][0-9]* passed, 0 failed, 0 skipped' "$scratch/out"
finish
