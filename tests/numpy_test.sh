# SPDX-License-Identifier: Apache-2.0
#
# numpy_test.sh: NumPy and `tensorstorage run` read each other's files, and the examples give what NumPy computes.
. "$TS_SOURCE_DIR/tests/lib.sh"
use_pocl
unset TENSORSTORAGE_DEVICE

python=
for candidate in python3 /usr/bin/python3; do
  if [ -z "$python" ] && "$candidate" -c 'import numpy' 2>/dev/null; then python=$candidate; fi
done
need numpy "there is no Python with NumPy" [ -n "$python" ]

tool=$TS_BUILD_DIR/tensorstorage
examples=$TS_SOURCE_DIR/examples
cd "$scratch"

# copy.c: three copies at once, of any dtype.
cat >copy.c <<'END'
#include "tensorstorage.h"
#define COPY(y_cells, x_cells)                                                                \
  ts_store(ts_global, DTYPE, 1, ts_bind(ts_global, DTYPE, y_cells), (ts_index)ts_global_id(0), \
           ts_load(ts_global_const, DTYPE, 1, ts_bind(ts_global_const, DTYPE, x_cells), (ts_index)ts_global_id(0), 0), 0)
TS_KERNEL(copy, (TS_GLOBAL_CONST_ARG(DTYPE) x_cells, TS_GLOBAL_CONST_ARG(DTYPE) fortran_cells,
                 TS_GLOBAL_CONST_ARG(DTYPE) big_cells, TS_GLOBAL_ARG(DTYPE) y_cells, TS_GLOBAL_ARG(DTYPE) y_fortran_cells,
                 TS_GLOBAL_ARG(DTYPE) y_big_cells)) {
  COPY(y_cells, x_cells);
  COPY(y_fortran_cells, fortran_cells);
  COPY(y_big_cells, big_cells);
}
END

cat >make.py <<'END'
import numpy as np
random = np.random.default_rng(4)
for name in "b1 i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8".split():
    x = random.integers(0, 2 if name == "b1" else 100, (2, 3, 5)).astype(name)
    np.save(f"{name}.npy", x)
    np.save(f"{name}_fortran.npy", np.asfortranarray(x))
    np.save(f"{name}_big_view.npy", np.asfortranarray(x.astype(x.dtype.newbyteorder(">"))).transpose(1, 0, 2))
np.save("x.npy", random.standard_normal(1024).astype("f2"))
np.save("q.npy", random.integers(-128, 128, 4096).astype("i1"))
np.save("scales.npy", random.standard_normal(128).astype("f4"))
np.save("bytes.npy", random.integers(0, 256, 5000).astype("u1"))
END

cat >compare.py <<'END'
import sys
import numpy as np
got, wanted = np.load(sys.argv[1]), np.load(sys.argv[2])
assert got.flags.c_contiguous and got.dtype.isnative
assert got.dtype == wanted.dtype.newbyteorder("="), (got.dtype, wanted.dtype)
assert got.shape == wanted.shape, (got.shape, wanted.shape)
assert np.array_equal(got, wanted), (got, wanted)
END

cat >compute.py <<'END'
import numpy as np
of = __import__("sys").argv[1]
np.testing.assert_array_equal(np.load(f"scale_{of}.npy"), np.load("x.npy").astype("f4") * np.float32(2.5))
wanted = np.load("q.npy").astype("f4").reshape(128, 32) * np.load("scales.npy")[:, None]
np.testing.assert_array_equal(np.load(f"dequantise_{of}.npy"), wanted)
wanted = np.bincount(np.load("bytes.npy"), minlength=256).astype("u4")
np.testing.assert_array_equal(np.load(f"histogram_{of}.npy"), wanted)
END

expect "NumPy makes the files" "$python" make.py
for pair in b1:b8 i1:i8 u1:u8 i2:i16 u2:u16 i4:i32 u4:u32 i8:i64 u8:u64 f2:f16 f4:f32 f8:f64; do
  name=${pair%:*} dtype=${pair#*:}
  expect "$dtype is copied" exits 0 "$tool" run copy.c --device cl:0:0 -D "DTYPE=$dtype" --items 30 \
    --arg "x_cells=@$name.npy" --arg "y_cells=copy.npy:$dtype:2,3,5" \
    --arg "fortran_cells=@${name}_fortran.npy" --arg "y_fortran_cells=copy_fortran.npy:$dtype:2,3,5" \
    --arg "big_cells=@${name}_big_view.npy" --arg "y_big_cells=copy_big_view.npy:$dtype:3,2,5"
  expect "$dtype is what NumPy saved" "$python" compare.py copy.npy "$name.npy"
  expect "$dtype in Fortran order is what NumPy saved" "$python" compare.py copy_fortran.npy "${name}_fortran.npy"
  expect "big-endian $dtype, its axes turned, is what NumPy saved" "$python" compare.py copy_big_view.npy "${name}_big_view.npy"
done

for device in host cl:0:0; do
  of=${device%%:*}
  expect "$device: scale.c runs" exits 0 "$tool" run "$examples/scale.c" --device $device --items 256 --group 256 \
    --arg x_cells=@x.npy --arg "y_cells=scale_$of.npy:f32:1024" --arg a=2.5
  expect "$device: dequantise.c runs" exits 0 "$tool" run "$examples/dequantise.c" --device $device --items 1024 \
    --arg x_cells=@q.npy --arg scale_cells=@scales.npy --arg "y_cells=dequantise_$of.npy:f32:128,32"
  expect "$device: histogram.c runs" exits 0 "$tool" run "$examples/histogram.c" --device $device --items 512 --group 64 \
    --arg x_cells=@bytes.npy --arg "bin_cells=histogram_$of.npy:u32:256" --arg count=5000
  expect "$device: NumPy computes the same" "$python" compute.py "$of"
done
finish
