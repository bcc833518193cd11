package ladder

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// counted is the product that Count counts: many workgroups, and few steps in each.
const countedSide, countedDepth = 1024, 128

// Count draws what two rungs cost on a device that package cost knows, side by side. It counts in
// the simulator.
func Count(ctx context.Context, device, before, after string) []view.View {
	return view.Drawn("What the two shaders cost", func() []view.View { return countedViews(ctx, device, before, after) })
}

func countedViews(ctx context.Context, device, before, after string) []view.View {
	c, err := count(ctx, device, before, after)
	if err != nil {
		return []view.View{view.Note{Mark: view.Bad, Title: "Nothing to show", Body: english.Sentence(err.Error())}}
	}
	return c.views()
}

// A pair is two rungs with their counts.
type pair struct {
	on      cost.GPU
	rungs   [2]Rung
	reports [2]*cost.DispatchCost
}

func count(ctx context.Context, device string, names ...string) (p pair, err error) {
	if p.on, err = cost.FindDevice(device); err != nil {
		return p, err
	}
	for i, name := range names {
		at := slices.IndexFunc(Rungs, func(r Rung) bool { return r.Name == name })
		if at < 0 {
			return p, fmt.Errorf("no rung is called %q", name)
		}
		p.rungs[i] = Rungs[at]
		text, err := p.rungs[i].Source()
		if err != nil {
			return p, err
		}
		source := shader.Read(name, text)
		d, err := dispatch(source, countedSide, countedSide, countedDepth)
		if err != nil {
			return p, err
		}
		if p.reports[i], err = cost.Of(ctx, source, d, cost.Options{}); err != nil {
			return p, fmt.Errorf("counting %s: %w", name, err)
		}
	}
	return p, nil
}

func (p pair) views() []view.View {
	before, after := p.reports[0].On(p.on), p.reports[1].On(p.on)
	said := "Both take the same time at least."
	switch ratio := before.Seconds / after.Seconds; {
	case ratio >= worthwhile:
		said = fmt.Sprintf("%s takes %.1f times as long as %s, at least.", p.rungs[0].Name, ratio, p.rungs[1].Name)
	case ratio <= 1/worthwhile:
		said = fmt.Sprintf("%s takes %.1f times as long as %s, at least.", p.rungs[1].Name, 1/ratio, p.rungs[0].Name)
	}
	table := view.Table{Headers: []string{"", p.rungs[0].Name, p.rungs[1].Name}}
	for _, row := range cost.CompareTotals(p.on, p.reports[0], p.reports[1]) {
		table.Add(row[0], row[1], row[2])
	}
	return []view.View{
		view.Note{
			Title: p.rungs[0].Name + " and " + p.rungs[1].Name + ", counted",
			Body:  fmt.Sprintf("%d × %d times %d × %d. %s\n%s", countedSide, countedDepth, countedDepth, countedSide, said, strings.Join(p.reports[1].Summary(p.on), "\n")),
		},
		table,
		view.Fold{Title: "What these counts assume", Views: []view.View{view.Note{Title: "The model", Body: cost.Footnote}}},
	}
}

// Product returns the dispatch of an n × n product for a shader of the ladder.
func Product(source *shader.Source, n int) (shader.Dispatch, error) {
	if n%multiple != 0 || n <= 0 {
		return shader.Dispatch{}, fmt.Errorf("matrices of %d × %d: n must be a multiple of %d", n, n, multiple)
	}
	return dispatch(source, n, n, n)
}

func dispatch(source *shader.Source, m, n, k int) (shader.Dispatch, error) {
	module, err := source.Module()
	if err != nil {
		return shader.Dispatch{}, err
	}
	entry, ok := module.Entry(shader.EntryPoint)
	if !ok {
		return shader.Dispatch{}, fmt.Errorf("%s has no entry point %s", source.Name, shader.EntryPoint)
	}
	rng := rand.New(rand.NewPCG(uint64(n), 0))
	return shader.Dispatch{
		Workgroups: covering(source.Text, entry.WorkgroupSize, m, n),
		Buffers: []shader.Buffer{
			shader.UniformBuffer(shader.Uint(m), shader.Uint(n), shader.Uint(k)), shader.FloatBuffer(numbers(rng, m*k)), shader.FloatBuffer(numbers(rng, k*n)),
			shader.FloatBuffer(make([]float32, m*n)),
		},
		Output: 3,
	}, nil
}
