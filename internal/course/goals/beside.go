package goals

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/view"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/observe/cost"
)

// A CountedPass is a shader in a case of its exercise, with what it costs.
type CountedPass struct {
	Exercise *course.Exercise
	Source   *shader.Source
	Case     course.Case
	Cost     *cost.DispatchCost
	Whose    string // "yours", or "the reference" with the reason
}

// A Computation is one or more passes that compute something, one after the other.
type Computation []CountedPass

// Name joins the ids of the passes.
func (w Computation) Name() string {
	var ids []string
	for _, p := range w {
		ids = append(ids, p.Exercise.ID)
	}
	return strings.Join(ids, " + ")
}

// Costs returns what the passes cost.
func (w Computation) Costs() (costs cost.Sequence) {
	for _, p := range w {
		costs = append(costs, p.Cost)
	}
	return costs
}

// CountWay counts the passes of a text such as "scores t=256 + softmax rows=2048 cols=256". Each
// names an exercise, and sizes in place of those of its large case. ID/NAME is a right shader of
// the exercise; otherwise it is the one that load reads, or the reference if none of those runs.
func CountWay(ctx context.Context, text string, load func(id string) (*shader.Source, error)) (way Computation, err error) {
	for part := range strings.SplitSeq(text, "+") {
		p, err := countPart(ctx, strings.Fields(part), load)
		if err != nil {
			return nil, err
		}
		way = append(way, p)
	}
	return way, nil
}

func countPart(ctx context.Context, words []string, load func(string) (*shader.Source, error)) (p CountedPass, err error) {
	if len(words) == 0 {
		return p, errors.New("name an exercise, such as matmul")
	}
	id, right, _ := strings.Cut(words[0], "/")
	if p.Exercise, err = course.Find(id); err != nil {
		return p, err
	}
	given := map[string]int{}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		if given[name], err = strconv.Atoi(value); err != nil || given[name] < 1 {
			return p, fmt.Errorf("%q is no size: write NAME=NUMBER", word)
		}
	}
	if p.Exercise.IsOnHost() || p.Exercise.Break != nil || len(p.Exercise.Later) > 0 {
		return p, fmt.Errorf("%s has no single shader to count", id)
	}
	if p.Case, err = p.Exercise.DrawSized(seed, given); err != nil {
		return p, err
	}
	if right == "" && load != nil {
		if p.Source, p.Whose, err = learners(p.Exercise, load); err != nil {
			return p, err
		}
		if p.Source != nil {
			if p.Cost, err = in(ctx, p.Exercise, p.Case, p.Source, cost.Options{}); err == nil {
				return p, nil
			}
			p.Whose = "the reference: yours does not run yet"
		}
	}
	if p.Source, err = solution(p.Exercise, right); err != nil {
		return p, err
	}
	p.Cost, err = in(ctx, p.Exercise, p.Case, p.Source, cost.Options{})
	return p, err
}

// learners returns the learner's shader, or nil if it isn't written yet.
func learners(e *course.Exercise, load func(string) (*shader.Source, error)) (*shader.Source, string, error) {
	source, err := load(e.ID)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !course.Begun(source):
		return nil, "the reference: yours is not written yet", nil
	case err != nil:
		return nil, "", err
	}
	return source, "yours", nil
}

// solution returns a right shader of an exercise: the reference, if name is "".
func solution(e *course.Exercise, name string) (*shader.Source, error) {
	if name == "" {
		return e.Reference()
	}
	all, err := e.Right()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(all, func(s *shader.Source) bool { return s.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("%s has no right shader %q", e.ID, name)
	}
	return all[i], nil
}

// whose lists whose shaders were counted.
func whose(ways ...Computation) view.Card {
	card := view.Card{Title: "Whose shaders"}
	for _, w := range ways {
		for _, p := range w {
			card.Rows = append(card.Rows, [2]string{p.Exercise.ID + ", " + p.Cost.Case, p.Whose})
		}
	}
	return card
}

// Beside draws what two ways cost beside each other, on each device of the table: see CountWay.
func Beside(ctx context.Context, left, right string, load func(id string) (*shader.Source, error)) ([]view.View, []Computation) {
	var ways []Computation
	for _, text := range []string{left, right} {
		w, err := CountWay(ctx, text, load)
		if err != nil {
			return []view.View{nothingToShow(err)}, nil
		}
		ways = append(ways, w)
	}
	views := cost.Beside(ways[0].Name(), ways[1].Name(), ways[0].Costs(), ways[1].Costs())
	return append(views, whose(ways...)), ways
}

// Roofline draws shaders under the roof of a device: see CountWay.
func Roofline(ctx context.Context, device, shaders string, load func(id string) (*shader.Source, error)) []view.View {
	on, err := cost.FindDevice(device)
	if err != nil {
		return []view.View{nothingToShow(err)}
	}
	way, err := CountWay(ctx, shaders, load)
	if err != nil {
		return []view.View{nothingToShow(err)}
	}
	var names []string
	for _, p := range way {
		names = append(names, p.Exercise.ID)
	}
	return []view.View{cost.UnderOneRoof(on, names, way.Costs()), whose(way)}
}

func nothingToShow(err error) view.View {
	return view.Note{Mark: view.Bad, Title: "Nothing to show", Body: english.Sentence(err.Error())}
}
