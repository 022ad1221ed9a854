# SPDX-License-Identifier: Apache-2.0
#
# make.py: write the files numpy_*.npy of this folder, with NumPy and ml_dtypes. check_npy.c says what is in them.
#
# No test runs it: the files are what NumPy 2.4.6 and ml_dtypes 0.6.0 wrote. The other files here were found by the fuzzer.
import pathlib

import ml_dtypes
import numpy as np
from numpy.lib import format as npy

here = pathlib.Path(__file__).parent


def write(name, array, version=(1, 0)):
    with open(here / f"numpy_{name}.npy", "wb") as file:
        npy.write_array(file, array, version=version)


for dtype in "b1 i1 u1 i2 u2 i4 u4 i8 u8 f2 f4 f8".split():
    write(dtype, np.array([0, 1, 1] if dtype == "b1" else [0, 1, 100], dtype))
for dtype in ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2:
    write(np.dtype(dtype).name, np.array([0, 1, 2], dtype))

counted = np.arange(24).reshape(2, 3, 4)
write("swapped", counted.astype(">i4"))
write("fortran", np.asfortranarray(counted.astype("<i2")))
write("fortran_swapped", np.asfortranarray(counted.astype(">f8")))
write("version_2", counted.astype("<i2"), (2, 0))
write("version_3", counted.astype("<i2"), (3, 0))
write("scalar", np.float32(2.5))
write("empty", np.zeros((0, 4), "<f4"))
write("rank_9", np.arange(2, dtype="u1").reshape(1, 1, 1, 1, 1, 1, 1, 1, 2))
write("records", np.zeros(2, [("x", "<f4"), ("y", "<i2", (2,))]))
write("complex", np.zeros(2, "<c8"))
write("text", np.array(["a", "b"]))
