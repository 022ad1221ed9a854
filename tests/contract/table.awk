# SPDX-License-Identifier: Apache-2.0
#
# table.awk: README's table of accesses and instructions, made from rules.txt: f32 x 4 where nothing else is said.
#
#   awk -f rules.awk -f table.awk rules.txt

END {
  print "| access | PTX | AMDGCN | x86 |"
  print "|---|---|---|---|"
  row("global, no promise (aligned to 4)", "global", 4, 0, "none", "sm_90", 1)
  row("global", "global", 4, 16, "none", "sm_90", 0)
  row("global, `TS_INVARIANT`", "global", 4, 16, "invariant", "sm_90", 1)
  row("global, `TS_NON_TEMPORAL`", "global", 4, 16, "non_temporal", "sm_90", 0)
  row("global, both of them", "global", 4, 16, "both", "sm_90", 1)
  row("shared", "shared", 4, 16, "none", "sm_90", 0)
  row("constant", "constant", 4, 16, "none", "sm_90", 1)
  row("global, f32 x 8, `TS_ALIGN(32)`", "global", 8, 32, "none", "sm_90", 1)
  row("the same, from sm_100 on", "global", 8, 32, "none", "sm_100", 1)
}

function row(what, space, width, align, flags, machine, loads_only) {
  printf "| %s | %s | %s | %s |\n", what, both("ptx", machine, space, width, align, flags, loads_only),
    both("amdgcn", "gfx90a", space, width, align, flags, loads_only), both("x86", "any", space, width, align, flags, loads_only)
}
function both(set, machine, space, width, align, flags, loads_only,    load, store) {
  load = spell(set, machine, space, "load", width, align, flags)
  store = loads_only ? load : spell(set, machine, space, "store", width, align, flags)
  return load == store ? load : load " " store
}

function spell(set, machine, space, access, width, align, flags,    name, count, lanes) {
  plan(set, machine, space, access, 4 * width, 4, align, flags)
  count = 4 * width / plan_piece
  lanes = plan_piece / 4
  if (set == "ptx") {
    name = (access == "load" ? "ld" : "st") "." (plan_as == "constant" ? "const" : plan_as)
    if (plan_hints != "-") name = name "." plan_hints
    sub(",", ".", name)
    name = name (lanes > 1 ? ".v" lanes : "") ".f32"
  } else if (set == "amdgcn") {
    if (plan_as == "shared") name = (access == "load" ? "ds_read" : "ds_write") "_b" 8 * plan_piece
    else name = (plan_as == "constant" ? "s" : plan_as) "_" access "_dwordx" lanes
    if (plan_hints != "-") name = name " " plan_hints
    sub(",", " ", name)
  } else {
    name = plan_hints == "nt" ? (access == "load" ? "vmovntdqa" : "vmovntps") : plan_aligned > 1 ? "vmovaps" : "vmovups"
  }
  return (count > 1 ? count " x " : "") "`" name "`"
}
