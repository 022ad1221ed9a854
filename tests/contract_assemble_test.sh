# SPDX-License-Identifier: Apache-2.0
#
# contract_assemble_test.sh: ptxas takes what contract_test.sh left in a folder, MACHINE.DTYPE.ptx, without spills, and local
# memory is used just where a kernel has a ts_local. What passed is removed. Nothing runs.
#
#   contract_assemble_test.sh FOLDER sm_75 | sm_80,sm_90 …
. "$TS_SOURCE_DIR/tests/lib.sh"
. "$TS_SOURCE_DIR/tests/cuda.sh"
need cuda "ptxas is not installed" command -v ptxas

folder=$1
for machine in $(echo "$2" | tr , ' '); do
  count=0
  for file in "$folder/$machine".*.ptx; do
    [ -e "$file" ] || continue
    count=$((count + 1))
    dtype=${file#"$folder/$machine."}
    expect "ptxas assembles the accesses of ${dtype%.ptx} for $machine" assemble_contract "$file"
    rm -f "$file"
  done
  echo "$machine: $count dtypes"
  expect "there are accesses of each dtype for $machine" test "$count" = "$(grep -c '^#define TS_DTYPE_ROW_' "$TS_SOURCE_DIR/core/tables.h")"
done
finish
