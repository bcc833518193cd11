package cost

import (
	"context"
	"math"
	"slices"

	"github.com/wgslab/wgslab/internal/machine/sim"
)

// maxSteps is how many steps the counted workgroups may take together, unless the first alone takes
// more.
const maxSteps = 1_500_000

// A sampler chooses the workgroups to count.
type sampler struct {
	ctx        context.Context
	workgroups [3]uint32
	counter    *sim.Counter
	steps      uint64                     // that the samples have taken
	seen       map[uint64]sim.SampleCount // by the workgroup's number
	stopped    bool                       // a workgroup took too many steps
}

// count counts some workgroups, which stand for all. The one in the middle does, if others at a
// third of the way, at both ends of each axis and beside them cost the same. If they don't, guards
// cut there, and it looks for the places where the costs change. If the costs only differ a little
// everywhere, the input values decide, and it takes the mean of many. A workgroup that took too
// many steps is the last: more would take as long, and the counts are too small anyway.
func (r *DispatchCost) count(ctx context.Context, prepare func() (*sim.Counter, error)) (*sim.DispatchCounts, error) {
	counter, err := prepare()
	if err != nil {
		return nil, err
	}
	s := &sampler{ctx: ctx, workgroups: r.Workgroups, counter: counter, seen: map[uint64]sim.SampleCount{}}
	even, similar, err := s.explore()
	if err != nil {
		return nil, err
	}
	r.Even = even
	counts := counter.Counts()
	if s.stopped || even && !counts.Unreached {
		return counts, nil
	}
	if s.counter, err = prepare(); err != nil {
		return nil, err
	}
	samples := spread(uint64(r.Groups()), fewSamples)
	switch {
	case counts.Unreached, counts.Atomic && !similar: // the input values decide, and rarely
		r.Even = false
		samples = spread(uint64(r.Groups()), min(manySamples, max(fewSamples, maxSteps/max(1, s.steps/uint64(len(s.seen))))))
	case !similar:
		samples = s.product()
	}
	for _, sample := range samples {
		count, err := s.counter.Count(ctx, sample)
		if err != nil {
			return nil, err
		}
		if !count.Finished {
			break
		}
	}
	return s.counter.Counts(), nil
}

func (s *sampler) middle() [3]uint32 {
	return [3]uint32{s.workgroups[0] / 2, s.workgroups[1] / 2, s.workgroups[2] / 2}
}

// number returns a workgroup's number in x, then y, then z.
func (s *sampler) number(at [3]uint32) uint64 {
	return uint64(at[0]) + uint64(s.workgroups[0])*(uint64(at[1])+uint64(s.workgroups[1])*uint64(at[2]))
}

// probe runs a workgroup if it has not run yet. Only the first one counts.
func (s *sampler) probe(at [3]uint32) (sim.SampleCount, error) {
	number := s.number(at)
	if known, ok := s.seen[number]; ok {
		return known, nil
	}
	sample := sim.Sample{Workgroup: number}
	if len(s.seen) == 0 {
		sample.Weight = 1
	}
	count, err := s.counter.Count(s.ctx, sample)
	s.steps += count.Steps
	s.stopped = s.stopped || err == nil && !count.Finished
	s.seen[number] = count
	return count, err
}

// spent reports whether another workgroup would take too many steps.
func (s *sampler) spent() bool {
	return s.stopped || s.steps+s.steps/uint64(len(s.seen)) > maxSteps
}

// explore compares the workgroup in the middle with others: are all alike, or at least similar?
func (s *sampler) explore() (even, similar bool, err error) {
	first, err := s.probe(s.middle())
	even, similar = true, true
	for axis, n := range s.workgroups {
		for _, place := range []uint32{n - 1, 0, n / 3} {
			if err != nil || s.spent() {
				return even, similar, err
			}
			at := s.middle()
			at[axis] = place
			var other sim.SampleCount
			other, err = s.probe(at)
			even = even && alike(first, other, 0.02)
			similar = similar && alike(first, other, 0.25)
		}
	}
	return even, similar, err
}

// alike reports whether two workgroups cost the same, up to a share.
func alike(a, b sim.SampleCount, share float64) bool {
	near := func(x, y uint64) bool { return float64(max(x, y)-min(x, y)) <= share*float64(max(x, y))+1 }
	return near(a.Steps, b.Steps) && near(a.Sectors, b.Sectors) && near(a.Turns, b.Turns)
}

// fewSamples suffice if input values change the costs only a little. manySamples also find atomics
// that few workgroups reach.
const fewSamples, manySamples = 16, 512

// spread divides the workgroups into equal parts, and returns one of each. It is somewhere in its
// part: at equal distances, all might be in the same columns of an image. With the first and the
// last of all workgroups, the edges of an image would count too often.
func spread(all, most uint64) (samples []sim.Sample) {
	const golden = 0.6180339887498949 // multiples of it fill the interval from 0 to 1 evenly
	n := min(all, most)
	for i := range n {
		_, part := math.Modf(float64(i+1) * golden)
		at := min(all-1, uint64((float64(i)+part)*float64(all)/float64(n)))
		samples = append(samples, sim.Sample{Workgroup: at, Weight: float64(all) / float64(n)})
	}
	return samples
}

// A stratum is a place along an axis and how many places it stands for.
type stratum struct {
	place  uint32
	weight float64
}

// product returns a workgroup for each combination of strata of the axes.
func (s *sampler) product() (samples []sim.Sample) {
	x, y, z := s.along(0), s.along(1), s.along(2)
	for _, k := range z {
		for _, j := range y {
			for _, i := range x {
				at := [3]uint32{i.place, j.place, k.place}
				samples = append(samples, sim.Sample{Workgroup: s.number(at), Weight: i.weight * j.weight * k.weight})
			}
		}
	}
	return samples
}

// along divides an axis into strata of places whose workgroups cost the same. It halves the way
// between two that don't, until they are neighbours or it has tried often.
func (s *sampler) along(axis int) []stratum {
	const most = 24
	n := s.workgroups[axis]
	cost := func(place uint32) sim.SampleCount {
		at := s.middle()
		at[axis] = place
		count, err := s.probe(at)
		if err != nil {
			return sim.SampleCount{} // counting the samples says it
		}
		return count
	}
	places := slices.Compact([]uint32{0, n / 3, n / 2, n - 1})
	for i := 0; i+1 < len(places) && len(places) < most && s.steps < 2*maxSteps; {
		from, to := places[i], places[i+1]
		if to-from < 2 || alike(cost(from), cost(to), 0.02) {
			i++
			continue
		}
		places = slices.Insert(places, i+1, from+(to-from)/2)
	}
	var strata []stratum
	for i, place := range places {
		weight := 1.0
		if i > 0 {
			weight += float64(place-places[i-1]-1) / 2
		}
		if i+1 < len(places) {
			weight += float64(places[i+1]-place-1) / 2
		}
		if last := len(strata) - 1; last >= 0 && alike(cost(strata[last].place), cost(place), 0.02) {
			strata[last].weight += weight
			continue
		}
		strata = append(strata, stratum{place, weight})
	}
	return strata
}
