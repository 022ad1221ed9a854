# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# npy.sh: make .npy files without NumPy, and take out their elements; to be read after lib.sh.

# npy DESCR SHAPE: write a file, whose elements come from the input: printf '\1\0' | npy '<u2' '(1,)' >one.npy
npy() {
  npy_header="{'descr': '$1', 'fortran_order': False, 'shape': $2, }"
  # shellcheck disable=SC2059 # the length is a byte
  printf "\\223NUMPY\\001\\000\\$(printf %03o "${#npy_header}")\\000"
  printf %s "$npy_header"
  cat
}

# text_bytes COUNT: so many bytes, always the same: letters of this tree's text. As floats of any dtype they are neither NaN nor infinite.
text_bytes() {
  cat "$TS_SOURCE_DIR/core/"*.h "$TS_SOURCE_DIR/core/"*.h "$TS_SOURCE_DIR/core/"*.h | tr -cd 'A-Za-z' | head -c "$1"
}

# elements FILE: what is behind the header of a file that the tool wrote, in hexadecimal.
elements() { tail -c +129 "$1" | od -An -v -tx1 | tr -d ' \n'; }
