# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# cuda_compile_test.sh: nvcc takes the kernels of examples/ for every generation of GPUs, the accesses of scale and the atomics
# of histogram are the instructions that they ask for, and ptxas assembles them. Compiled only: nothing runs on a GPU here.
# NVRTC: check_nvrtc.c.
. "$TS_SOURCE_DIR/tests/lib.sh"
need cuda "nvcc is not installed" command -v nvcc
need cuda "ptxas is not installed" command -v ptxas

# The loads and stores of a PTX file in their order, without kernel parameters. The two back ends of nvcc name the lanes
# of what is only moved f32, u32 or b32.
accesses() { sed -n 's/^[[:space:]]*\(\(ld\|st\)\.[a-z0-9.]*\).*/\1/p' "$1" | grep -v '^ld\.param' | sed 's/\.[fub]32$/.32/'; }

accesses_are_exact() {
  cat >"$scratch/expected" <<'END'
ld.global.nc.v4.u16
st.shared.v4.32
ld.shared.v4.32
st.global.cs.v4.32
END
  accesses "$1" | diff "$scratch/expected" -
}

# Each address space's own addition, and no loop of compare-and-swap.
atomics_are_exact() {
  printf '%s\n' atom.global.add.u32 atom.shared.add.u32 >"$scratch/expected"
  sed -n 's/^[[:space:]]*\(\(atom\|red\)\.[a-z0-9.]*\).*/\1/p' "$1" | sort -u | diff "$scratch/expected" -
}

for machine in 75 80 90 100 120; do
  for example in scale dequantise histogram softmax transpose permute dequantise_rows stencil matmul; do
    ptx=$scratch/${example}_$machine.ptx
    expect "nvcc compiles $example for $machine" nvcc -x cu -ptx -Werror all-warnings -arch=compute_$machine \
      -I "$TS_SOURCE_DIR" -o "$ptx" "$TS_SOURCE_DIR/examples/$example.c"
    expect "ptxas assembles $example for $machine, without spills" ptxas -v --warn-on-spills \
      --warn-on-local-memory-usage -Werror -arch=sm_$machine -o "$scratch/example.cubin" "$ptx"
  done
  expect "scale's accesses for $machine are those it asks for" accesses_are_exact "$scratch/scale_$machine.ptx"
  expect "histogram's atomics for $machine are those of each space" atomics_are_exact "$scratch/histogram_$machine.ptx"
done
finish
