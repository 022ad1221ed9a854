# SPDX-License-Identifier: Apache-2.0
#
# cases.awk: write the kernels of the contract of one dtype, a line each, from the rows of core/tables.h.
#
#   awk -f cases.awk -v dtype=f32 -v generic=1 core/tables.h
#
# A kernel's name is the access: load__ts_global_const__f32__4__16__invariant loads 4 f32 through ts_global_const, promises 16
# bytes (0: nothing) and says TS_INVARIANT. order__… stores with the first flags, then loads with the second.

$1 == "#define" && $2 == "TS_DTYPE_ROW_" dtype { bytes = $5 + 0 }
$1 == "#define" && $2 ~ /^TS_POLICY_ROW_/ {
  policies++
  policy[policies] = substr($2, 15)
  space[policies] = $4
  sub(",", "", space[policies])
  is_const[policies] = $5 == "CONST"
}

END {
  if (!bytes || !policies) {
    print "cases.awk: " dtype " is no dtype of core/tables.h" >"/dev/stderr"
    exit 1
  }
  # Only of global memory is each hint tried alone: elsewhere none may do anything, or both together show what one does.
  split("none both invariant non_temporal", flags, " ")
  text["none"] = ""
  text["invariant"] = " | TS_INVARIANT"
  text["non_temporal"] = " | TS_NON_TEMPORAL"
  text["both"] = " | TS_INVARIANT | TS_NON_TEMPORAL"
  # Of the dtypes these alone, so that nothing that differs between machines is read and not used.
  print "#define TS_USE_u8 1"
  if (dtype != "u8") print "#define TS_USE_" dtype " 1"
  print "#include \"accesses.h\""
  for (p = 1; p <= policies; p++)
    if (generic || space[p] != "generic")
      for (width = 1; width <= 16; width *= 2)
        # Promises up to the access, of global memory also one that is larger: it says no more than that.
        for (align = 0; align <= 32 && align <= (space[p] == "global" ? 2 : 1) * width * bytes; align = align ? 2 * align : 1)
          for (f = 1; f <= (space[p] == "global" ? 4 : 2); f++) {
            write("load", p, width, align, flags[f])
            if (!is_const[p]) write("store", p, width, align, flags[f])
          }
  for (width = 1; width <= 16; width *= 2) {
    order(width, "none", "non_temporal")
    order(width, "non_temporal", "none")
    order(width, "non_temporal", "non_temporal")
  }
}

function write(access, p, width, align, flag) {
  printf "%s_%s(%s__%s__%s__%d__%d__%s, %s, %s, %d, %s%s)\n", toupper(access), space[p], access, policy[p], dtype, width,
    align, flag, policy[p], dtype, width, align ? "TS_ALIGN(" align ")" : "0", text[flag]
}
function order(width, first, second) {
  printf "ORDER_global(order__ts_global__%s__%d__%s__%s, ts_global, %s, %d, TS_ALIGN(256)%s, TS_ALIGN(256)%s)\n", dtype, width,
    first, second, dtype, width, text[first], text[second]
}
