package sim

import (
	"math/bits"
	"math/rand/v2"
)

// An Order is the order in which the workgroups of a dispatch run, one after the other, and within
// each the invocations up to a barrier. WGSL promises no order. The zero value is that of their
// numbers.
type Order struct {
	Backward bool   // the last one first
	Seed     uint64 // if not 0, all mixed up as the seed says
}

// of returns the order of n things.
func (o Order) of(n uint64) ordering {
	switch {
	case n < 2:
	case o.Seed != 0:
		rng := rand.New(rand.NewPCG(o.Seed, n))
		step := 1 + rng.Uint64N(n)
		for gcd(step, n) != 1 {
			step = 1 + step%n
		}
		return ordering{n, rng.Uint64N(n), step}
	case o.Backward:
		return ordering{n, n - 1, n - 1}
	}
	return ordering{n, 0, 1}
}

// An ordering takes n things in the order first, first + step, first + 2 step, …, modulo n. As step
// and n have no common divisor, each comes once.
type ordering struct{ n, first, step uint64 }

// at returns the number of the thing whose turn is i.
func (o ordering) at(i uint64) uint64 {
	if o.first == 0 && o.step == 1 {
		return i
	}
	high, low := bits.Mul64(i, o.step)
	low, carry := bits.Add64(low, o.first, 0)
	return bits.Rem64(high+carry, low, o.n)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
