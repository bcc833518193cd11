package simulator

import (
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
)

// OtherDivisions are the other ways in which a device may divide a workgroup into subgroups, the
// usual sizes first. The device decides how large they are, and which invocations are in one.
var OtherDivisions = []ir.SubgroupDivision{
	{Size: 64}, {Size: 16}, {Size: 8}, {Size: 4}, {Size: 128}, {Size: ir.UsualSubgroup, Scattered: true}, {Size: 8, Scattered: true},
}

// An OtherOrder is another order in which WGSL allows workgroups and invocations to run.
type OtherOrder struct {
	sim.Order
	InTurns bool   // all at once, with turns at atomic functions; see sim.Program.RunInTurns
	Told    string // how they run
}

// OtherOrders are the orders besides that of their numbers. The last one differs from the others
// only in a shader with atomic functions.
var OtherOrders = []OtherOrder{
	{Order: sim.Order{Backward: true}, Told: "the last workgroup runs first, and in each the last invocation"},
	{Order: sim.Order{Seed: 1}, Told: "workgroups and invocations run in a mixed order"},
	{Order: sim.Order{Seed: 2}, Told: "workgroups and invocations run in another mixed order"},
	{InTurns: true, Told: "all invocations take turns at atomic functions"},
}

// Patience returns the options for a run in this order, of a shader that took so many steps in the
// usual one. A run that takes far more waits for what comes later.
func (o OtherOrder) Patience(steps uint64) Options {
	const far, some = 50, 1_000_000
	limit := far*steps + some
	return Options{Order: o.Order, Steps: limit, Watched: limit}
}
