# SPDX-License-Identifier: Apache-2.0
#
# scale_pyopencl.py: the kernel of scale.c from Python, by pyopencl (Debian: python3-pyopencl). Of TensorStorage it needs the
# one file tensorstorage.h, and no library.
#
#   python3 scale_pyopencl.py /usr/local/include/tensorstorage.h scale.c
#
# The header's text is put where the kernel includes it, so that the driver's compiler searches no folder.
import sys

import numpy as np
import pyopencl as cl

if len(sys.argv) != 3:
    sys.exit(f"usage: python3 {sys.argv[0]} tensorstorage.h scale.c")
header, source = (open(name, encoding="utf-8").read() for name in sys.argv[1:])

context = cl.create_some_context(interactive=False)  # PYOPENCL_CTX chooses another device
queue = cl.CommandQueue(context)
in_place = source.replace('#include "tensorstorage.h"', header)
program = cl.Program(context, in_place).build(["-cl-std=CL1.2"])  # or CL3.0

x = (1 + np.arange(1024) / 1024).astype(np.float16)
y = np.empty(1024, np.float32)
a = np.float32(2.5)
x_cells = cl.Buffer(context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=x)
y_cells = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, y.nbytes)

# The parameters are exactly those that TS_KERNEL shows: 256 work-items in one work-group, four elements each.
program.scale(queue, (256,), (256,), x_cells, y_cells, a)
cl.enqueue_copy(queue, y, y_cells)

right = int(np.count_nonzero(y == a * x.astype(np.float32)))
print(f"scale by pyopencl: {right} of {y.size} elements right")
sys.exit(0 if right == y.size else 1)
