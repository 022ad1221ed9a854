# SPDX-License-Identifier: Apache-2.0
#
# doctor_test.sh: `tensorstorage doctor`, on drivers that crash, hang or are not there, and on compilers that lie.
#
#   doctor_test.sh DRIVER     DRIVER: the library of bad_driver.c
. "$TS_SOURCE_DIR/tests/lib.sh"

bad_driver=$1
need pocl "there is no OpenCL device of PoCL" has_pocl
need cc "there is no C compiler" command -v "$CC"
tool=$TS_BUILD_DIR/tensorstorage
export TENSORSTORAGE_CACHE_DIR="$scratch/cache"
unset TENSORSTORAGE_CACHE
export TENSORSTORAGE_HOST_FLAGS= # kernels that clang compiles have no sanitizers of gcc
unset CUDA_HOME CUDA_PATH TENSORSTORAGE_DEVICE

# line STATE NAME TEXT: such a line is in the output; TEXT is a pattern.
line() { grep -E "^$1 +$2 +$3" "$scratch/out" || { cat "$scratch/out" && return 1; }; }

# vendors NAME [FILE LIBRARY]...: a folder of PoCL's vendor file and of others, for OpenCL's loader.
vendors() {
  vendors_folder=$scratch/$1
  mkdir "$vendors_folder"
  cp /etc/OpenCL/vendors/pocl.icd "$vendors_folder"
  shift
  while [ $# != 0 ]; do
    echo "$2" >"$vendors_folder/$1.icd"
    shift 2
  done
  export OCL_ICD_VENDORS="$vendors_folder"
}

# liar NAME EXPRESSION: a compiler that changes the kernel first.
liar() {
  cat >"$scratch/$1" <<END
#!/bin/sh
for word; do case \$word in */kernel.c) sed -i '$2' "\$word" ;; esac; done
exec "$CC" "\$@"
END
  chmod +x "$scratch/$1"
}

# Each run takes seconds: a run has several things to tell.

# ---- what works ------------------------------------------------------------------------------------------------------

vendors good
expect "with PoCL it exits with 0" exits 0 "$tool" doctor
expect "the C compiler works" line works 'C compiler' '.*[0-9]'
expect "the loader works" line works 'OpenCL loader' '/.*libOpenCL\.so\.1, '
expect "the cache is on, and not there" line works 'program cache' \
  "on, but for drivers that have one of their own: $scratch/cache, not made yet\$"
expect "and was not made" [ ! -e "$scratch/cache" ]
expect "the driver works" line works 'driver pocl.icd' 'libpocl.*, 1 platform$'
expect "the host runs a kernel" line works 'device host' '.*: ran the smoke kernel, [0-9.]* s with its build$'
expect "PoCL runs a kernel" line works 'device cl:0:0' '.*: ran the smoke kernel, [0-9.]* s with its build$'
expect "what runs is counted" grep -q '^2 devices ran a kernel, 0 broken, [0-9]* missing$' "$scratch/out"
sed -n '/^$/q; p' "$scratch/out" | cut -c 10-25 | sed 's/ *$//' >"$scratch/names"

# CMake reads the JSON: a name and a state a line.
cat >"$scratch/json.cmake" <<'END'
file(READ ${FILE} json)
string(JSON schema GET "${json}" schema)
string(JSON count LENGTH "${json}" findings)
math(EXPR last "${count} - 1")
foreach(i RANGE ${last})
  foreach(member name state text)
    string(JSON ${member} GET "${json}" findings ${i} ${member})
  endforeach()
  file(APPEND ${OUT} "${name}\n")
endforeach()
END
cat >"$scratch/interrupted.cmake" <<'END'
file(READ ${FILE} json)
string(JSON interrupted GET "${json}" interrupted)
if(NOT interrupted)
  message(FATAL_ERROR "interrupted is ${interrupted}")
endif()
END
# A program of 3 MiB, one of another size, and what is neither.
mkdir -m 700 "$scratch/cache"
head -c 3145728 /dev/zero >"$scratch/cache/0123456789abcdef.program"
echo >"$scratch/cache/fedcba9876543210.program"
echo >"$scratch/cache/other"
expect "--json exits with 0" exits 0 "$tool" doctor --json
expect "programs of the cache are counted" grep -qF "$scratch/cache, 2 programs, 3.0 MiB\"" "$scratch/out"
expect "nothing interrupted it" [ -z "$(grep interrupted "$scratch/out")" ]
expect "the JSON is read" cmake -D FILE="$scratch/out" -D OUT="$scratch/json_names" -P "$scratch/json.cmake"
expect "the JSON has the same findings" diff "$scratch/names" "$scratch/json_names"
expect "a finding is on a line" grep -q '^{"name":"device cl:0:0","state":"works","text":".*"},$' "$scratch/out"

# ---- what is missing -------------------------------------------------------------------------------------------------

# CUDA's driver is that of the test; NVRTC would open it, too.
mkdir "$scratch/none" "$scratch/cuda"
cp "$bad_driver" "$scratch/cuda/libcuda.so.1"
expect "without OpenCL it exits with 0, since the host runs kernels" exits 0 \
  env -u OCL_ICD_VENDORS TENSORSTORAGE_CACHE=off OPENCL_VENDOR_PATH=/nowhere LD_LIBRARY_PATH="$scratch/cuda" TENSORSTORAGE_NVRTC=/none "$tool" doctor
expect "what is missing is named with the command that installs it" line missing 'OpenCL device' \
  '.*apt-get install pocl-opencl-icd$'
expect "a cache that is off is no mistake" line missing 'program cache' \
  "off, as TENSORSTORAGE_CACHE says: $scratch/cache, 2 programs, 3\.0 MiB\$"
expect "GPUs of CUDA's driver are counted" line works 'CUDA driver' 'libcuda\.so\.1 for CUDA 13\.2, 2 GPUs$'
expect "NVRTC is missing" line missing 'target sm_90' '.*TENSORSTORAGE_NVRTC'
export OCL_ICD_VENDORS="$scratch/none"
expect "without a compiler and OpenCL it exits with 3" exits 3 \
  env -u HOME -u XDG_CACHE_HOME TENSORSTORAGE_CACHE_DIR= PATH="$scratch/none" CC= BAD_DRIVER=100 LD_LIBRARY_PATH="$scratch/cuda" TENSORSTORAGE_NVRTC=/none "$tool" doctor
expect "the compiler is missing" line missing 'C compiler' '.*apt-get install gcc libc6-dev$'
expect "so the host is" line missing 'device host' '.*apt install gcc'
expect "targets are" line missing 'target gfx90a' '.*apt install clang'
expect "tools are" line missing oclgrind '.*apt-get install oclgrind$'
expect "so is a folder for the cache" line missing 'program cache' '.*there is no folder for it: set TENSORSTORAGE_CACHE_DIR, or HOME$'
expect "GPUs are" line missing 'CUDA driver' '.*finds no NVIDIA GPU$'
expect "no device is counted" grep -q '^0 devices ran a kernel, 0 broken, ' "$scratch/out"

# ---- what is broken --------------------------------------------------------------------------------------------------

chmod 777 "$scratch/cache"
vendors absent absent libthere_is_no_such_driver.so nameless "" idle "$bad_driver"
liar adds 's/v \* a,/v + a,/'
expect "drivers that are not there exit with 5" exits 5 env CC="$scratch/adds" "$tool" doctor
expect "a library that is not there is told" line broken 'driver absent.icd' '.*libthere_is_no_such_driver\.so'
expect "a vendor file without a library is told" line broken 'driver nameless.icd' '.*names no library'
expect "a driver without a device is no mistake" line missing 'driver idle.icd' '.*has no platform'
expect "the first wrong element of a kernel is told" line broken 'device host' \
  ".*: the smoke kernel's element 0 is 3.5, must be 2.5\$"
expect "the other driver runs" line works 'device cl:0:0' '.*ran the smoke kernel'
expect "a cache that others can write is told" line broken 'program cache' '.*, but the folder .* belongs to another user, or others can write it$'
expect "what is broken is counted" grep -q '^1 device ran a kernel, 4 broken, ' "$scratch/out"
chmod 700 "$scratch/cache"

vendors crash bad "$bad_driver"
expect "a driver that crashes exits with 5" exits 5 env TENSORSTORAGE_CACHE=on BAD_DRIVER=crash "$tool" doctor
expect "a cache for all drivers is told" line works 'program cache' 'on, for all drivers, as TENSORSTORAGE_CACHE says: '
expect "the crash is told, with what was printed last" line broken 'driver bad.icd' \
  'crashed: signal 11 \(Segmentation fault\); it printed last: the driver says farewell$'
expect "the list of devices is broken by it" line broken devices 'listing them crashed: signal 11'
expect "no OpenCL device is called missing for it" [ -z "$(grep '^missing  OpenCL device' "$scratch/out")" ]
expect "the host is tried all the same" line works 'device host' '.*ran the smoke kernel'
expect "the other driver is tried alone" line works 'device cl:0:0' '.*ran the smoke kernel'

liar misspells 's/v \* a,/w * a,/'
expect "a driver that crashes when it is unloaded exits with 5" exits 5 \
  env BAD_DRIVER=exit CC="$scratch/misspells" TENSORSTORAGE_CACHE=maybe "$tool" doctor
expect "a word that TENSORSTORAGE_CACHE does not have is told" line broken 'program cache' \
  'TENSORSTORAGE_CACHE is "maybe"; set it to auto, on or off$'
expect "it is told" line broken 'driver bad.icd' 'it did its work and then.*crashed: signal 11'
expect "a kernel that does not build is told" line broken 'device host' '.*scale\.c did not build for host'

expect "a driver that hangs exits with 5" exits 5 env BAD_DRIVER=hang CC="$scratch/no_such_cc" "$tool" doctor --timeout 2
expect "it is told" line broken 'driver bad.icd' 'timed out after 2 s$'
expect "a CC that is not there is told" line broken 'C compiler' 'CC is ".*no_such_cc", and does not run'
expect "an interrupt ends it" exits 130 env BAD_DRIVER=hang timeout --preserve-status -s INT 3 "$tool" doctor
expect "the last line says so" [ "$(tail -n 1 "$scratch/out")" = "interrupted by signal 2: the rest was not looked at" ]
expect "so does JSON" exits 130 env BAD_DRIVER=hang timeout --preserve-status -s INT 3 "$tool" doctor --json
expect "which is whole" cmake -D FILE="$scratch/out" -P "$scratch/interrupted.cmake"

expect "a TMPDIR that is not there exits with 5" exits 5 \
  env OCL_ICD_VENDORS="$scratch/none" TMPDIR="$scratch/no_such" "$tool" doctor
expect "no compiler is called missing for it" line broken 'C compiler' \
  "no folder for the compiler's files can be made in $scratch/no_such: No such file or directory; set TMPDIR to a folder that can be written\$"
expect "nor is the host" line broken 'device host' '.*; set TMPDIR to a folder that can be written$'

expect "a compiler that makes nothing exits with 5" exits 5 \
  env OCL_ICD_VENDORS=/nowhere TENSORSTORAGE_CLANG=/bin/true TENSORSTORAGE_CACHE_DIR=/proc/nowhere/x "$tool" doctor
expect "so does a folder for the cache that can't be made" line broken 'program cache' \
  ".*, but the folder /proc/nowhere/x can't be used: No such file or directory; set TENSORSTORAGE_CACHE_DIR to another\$"
expect "it is told" line broken 'target x86' '.*/bin/true ended as if all were well and made nothing'

printf '#!/bin/sh\nexec sleep 30\n' >"$scratch/slow_cc"
chmod +x "$scratch/slow_cc"
mkdir "$scratch/tmp"
expect "compilers that hang exit with 5" exits 5 env OCL_ICD_VENDORS="$scratch/none" CC="$scratch/slow_cc" \
  TENSORSTORAGE_CLANG="$scratch/slow_cc" TMPDIR="$scratch/tmp" "$tool" doctor --timeout 1
expect "they are told" line broken 'C compiler' 'timed out after 1 s$'
expect "so is a list of devices" line broken devices 'listing them timed out after 1 s'
expect "nothing is left in TMPDIR" [ -z "$(ls -A "$scratch/tmp")" ]

export OCL_ICD_VENDORS=/etc/OpenCL/vendors/pocl.icd
expect "PoCL that can't write its cache exits with 5" exits 5 env POCL_CACHE_DIR=/proc/nowhere/x "$tool" doctor
expect "it is told" line broken 'driver pocl.icd' \
  "PoCL can't write its cache, /proc/nowhere/x: No such file or directory; set POCL_CACHE_DIR to a folder that can be written\$"
expect "no OpenCL device is called missing for it" [ -z "$(grep '^missing  OpenCL device' "$scratch/out")" ]
touch "$scratch/no_folder"
expect "nor with a HOME that is no folder" exits 5 \
  env -u POCL_CACHE_DIR -u XDG_CACHE_HOME HOME="$scratch/no_folder" "$tool" doctor
expect "it is told" line broken 'driver pocl.icd' ".* its cache, $scratch/no_folder/.cache/pocl/kcache: Not a directory; "

expect "CUDA's driver that does not start exits with 5" exits 5 \
  env OCL_ICD_VENDORS=/no/such.so BAD_DRIVER=803 LD_LIBRARY_PATH="$scratch/cuda" TENSORSTORAGE_NVRTC=/none "$tool" doctor
expect "it is told" line broken 'CUDA driver' '.*does not start: code 803'
expect "OCL_ICD_VENDORS that names nothing is told" line broken 'driver such.so' 'OCL_ICD_VENDORS is no folder, .*unset it$'

# ---- usage -----------------------------------------------------------------------------------------------------------

expect "an unknown option exits with 2" exits 2 "$tool" doctor --jsn
expect "the nearest is named" complains 'the nearest is --json'
expect "an argument exits with 2" exits 2 "$tool" doctor me
expect "a timeout of 0 exits with 2" exits 2 "$tool" doctor --timeout 0
finish
