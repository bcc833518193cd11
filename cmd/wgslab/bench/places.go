package bench

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge/zoo"
	"github.com/wgslab/wgslab/internal/ground/fence"
)

// PlacesOptions say which verdicts are measured.
type PlacesOptions struct {
	OneOf    int    // one of so many shaders is drawn
	Seed     uint64 // draws them
	Only     zoo.MistakeKind
	Workers  int                // how many are judged at once
	Misses   func(*zoo.Aim)     // is told of each verdict that counts against a share; may be nil
	Progress func(done, of int) // may be nil
}

// Places says how many verdicts on the course's wrong shaders show the right line.
type Places struct {
	OneOf  int                            `json:"one_of"`
	Seed   uint64                         `json:"seed"`
	Took   float64                        `json:"took_s"`
	All    zoo.Shares                     `json:"all"`
	ByKind map[zoo.MistakeKind]zoo.Shares `json:"by_kind"`
	ByWhy  map[string]zoo.Shares          `json:"by_source"` // of the first place
}

// RunPlaces judges the shaders.
func RunPlaces(ctx context.Context, o PlacesOptions) (*Places, error) {
	all, err := zoo.Planted()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	share := zoo.Share(all, o.OneOf, o.Seed)
	if o.Only != "" {
		share = nil
		for _, s := range zoo.Share(all, o.OneOf, o.Seed) {
			if s.Kind == o.Only {
				share = append(share, s)
			}
		}
	}
	aims, err := judged(ctx, o, share)
	if err != nil {
		return nil, err
	}
	p := &Places{OneOf: o.OneOf, Seed: o.Seed, All: zoo.Shared(aims), ByKind: map[zoo.MistakeKind]zoo.Shares{}, ByWhy: map[string]zoo.Shares{}}
	kinds, whys := map[zoo.MistakeKind][]*zoo.Aim{}, map[string][]*zoo.Aim{}
	for _, a := range aims {
		kinds[a.Kind] = append(kinds[a.Kind], a)
		whys[a.Source()] = append(whys[a.Source()], a)
	}
	for kind, aims := range kinds {
		p.ByKind[kind] = zoo.Shared(aims)
	}
	for why, aims := range whys {
		p.ByWhy[why] = zoo.Shared(aims)
	}
	p.Took = time.Since(began).Seconds()
	return p, nil
}

// judged judges specimens, several at once.
func judged(ctx context.Context, o PlacesOptions, share []zoo.Specimen) (aims []*zoo.Aim, err error) {
	workers := fence.Limited(max(o.Workers, 1))
	var m sync.Mutex
	for i := range share {
		workers.Go(func() {
			a, failed := share[i].Judge(ctx)
			m.Lock()
			defer m.Unlock()
			if failed != nil {
				err = failed
				return
			}
			aims = append(aims, a)
			if o.Misses != nil && a.Misses() {
				o.Misses(a)
			}
			if o.Progress != nil {
				o.Progress(len(aims), len(share))
			}
		})
		if ctx.Err() != nil {
			break
		}
	}
	workers.Wait()
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return aims, err
}

// Table prints the shares, a line for each kind of mistake.
func (p *Places) Table(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "mistake\tshaders\tknown\tfirst %\tof three %\treason %\tcaret %\tastray %\t")
	line := func(name string, s zoo.Shares) {
		fmt.Fprintf(t, "%s\t%d\t%d\t%.1f\t%.1f\t%.1f\t%.1f\t%.1f\t\n", name, s.Shaders, s.Known, s.First, s.Three, s.Reason, s.Caret, s.Astray)
	}
	for _, kind := range slices.Sorted(maps.Keys(p.ByKind)) {
		line(string(kind), p.ByKind[kind])
	}
	line("all", p.All)
	for _, why := range slices.Sorted(maps.Keys(p.ByWhy)) {
		line("first by "+why, p.ByWhy[why])
	}
	fmt.Fprint(t, "\n")
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the table: %w", err)
	}
	_, err := fmt.Fprintf(w, "The verdict took %.3f s (median), the search for reasons %.3f s (median) and %.3f s (90th percentile).\n", p.All.Verdict, p.All.Search, p.All.Slow)
	return err
}
