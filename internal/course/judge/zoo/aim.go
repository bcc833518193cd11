package zoo

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge"
	"github.com/wgslab/wgslab/internal/course/judge/verdict"
	"github.com/wgslab/wgslab/internal/machine/engine/simulator"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// An Aim says how well one verdict shows where a shader is wrong.
type Aim struct {
	*Specimen
	Ran    bool          // the shader compiled and ran
	Told   bool          // the verdict has a reason
	Seen   bool          // it has none, but the simulator saw a mistake happen
	Rank   int           // of the first true line among the places, from 1, ties at the worst; 0 if none is listed
	Caret  bool          // the text shows a line with carets
	Astray bool          // it shows only lines that are not true
	Soon   time.Duration // until the verdict without reasons
	Took   time.Duration // of the search for reasons

	Verdict *verdict.Verdict
}

// aimed is the seed of the cases. It is the same for all, so that a measurement can be repeated.
const aimed = 7

// Judge judges the specimen in the simulator, as if the exercise had no words for its mistake,
// unless it is Named.
func (s *Specimen) Judge(ctx context.Context) (*Aim, error) {
	exact := simulator.New(simulator.Options{})
	a := &Aim{Specimen: s}
	began := time.Now()
	v, err := judge.Explain(ctx, shader.Engines{Values: exact, Watcher: exact}, s.Exercise, shader.Read("try.wgsl", s.Text), aimed, func(v *verdict.Verdict) {
		a.Soon = time.Since(began)
		if !s.Named && v.Slug != verdict.OtherSubgroups {
			v.Slug = ""
		}
	})
	a.Took = time.Since(began) - a.Soon
	switch {
	case err != nil:
		return nil, fmt.Errorf("judging %s: %w", s.Name, err)
	case v.Passed():
		return nil, fmt.Errorf("judging %s: %w", s.Name, errPassed)
	}
	a.look(v)
	return a, nil
}

var errPassed = errors.New("a wrong shader passed")

// look notes what a verdict shows.
func (a *Aim) look(v *verdict.Verdict) {
	a.Verdict = v
	a.Ran = v.Stage != verdict.StageCompile && v.Stage != verdict.StageBind
	a.Told = len(v.Reasons) > 0 || v.Slug == verdict.OtherSubgroups || a.Named && v.Why != "" // which are reasons themselves
	a.Seen = !a.Told && slices.ContainsFunc(v.Findings, func(f findings.Finding) bool { return f.IsError() })
	a.Rank = RankOf(v.Places, a.Lines)
	shown := shownLines(v.Story().Excerpt)
	if len(shown) > 0 && len(v.Places) > 0 {
		shown = append(shown, v.Places[0].Between...)
	}
	a.Caret = len(shown) > 0
	a.Astray = a.Caret && !slices.ContainsFunc(shown, func(line int) bool { return slices.Contains(a.Lines, line) })
}

// AimOf returns how well another tool shows where the specimen is wrong: with the lines that it
// lists, the likeliest first.
func (s *Specimen) AimOf(lines []int) *Aim {
	v := &verdict.Verdict{}
	for _, line := range lines {
		v.AddPlace(findings.Region{Line: line}, byTool, false)
	}
	a := &Aim{Specimen: s, Verdict: v, Ran: true, Told: len(lines) > 0, Caret: len(lines) > 0, Rank: RankOf(v.Places, s.Lines)}
	a.Astray = a.Caret && a.Rank != 1
	return a
}

// byTool says that another tool found a place.
const byTool verdict.Why = "tool"

// RankOf returns the rank of the first true place, from 1, ties at the worst; 0 if none is true.
func RankOf(places []verdict.Place, lines []int) int {
	isTrue := func(p verdict.Place) bool {
		return slices.ContainsFunc(append(slices.Clone(p.Between), p.Line), func(line int) bool { return slices.Contains(lines, line) })
	}
	at := slices.IndexFunc(places, isTrue)
	if at < 0 {
		return 0
	}
	for at+1 < len(places) && places[at+1].Tied && !isTrue(places[at+1]) {
		at++
	}
	return at + 1
}

// Source says how the first place was found; "none" if there is none.
func (a *Aim) Source() string {
	if len(a.Verdict.Places) == 0 {
		return "none"
	}
	return string(a.Verdict.Places[0].Why)
}

// Misses reports whether the verdict counts against a share.
func (a *Aim) Misses() bool {
	return a.Ran && (!a.Told && !a.Seen || !a.Caret || len(a.Lines) > 0 && (a.Rank != 1 || a.Astray))
}

var underlined = regexp.MustCompile(`(?m)^ *(\d+) \| .*\n *\| *\^`)

// shownLines returns the numbers of the lines that an excerpt shows with carets below.
func shownLines(excerpt string) (lines []int) {
	for _, m := range underlined.FindAllStringSubmatch(excerpt, -1) {
		line, _ := strconv.Atoi(m[1])
		lines = append(lines, line)
	}
	return lines
}

// Shares say how many of some verdicts show the place, in percent. Those of the places count the
// shaders whose true lines are known.
type Shares struct {
	Shaders int     `json:"shaders"` // that ran and failed
	Known   int     `json:"known"`   // of these, with true lines
	Reason  float64 `json:"reason"`  // get one, or the simulator saw a mistake happen
	First   float64 `json:"first"`   // the first place is true
	Three   float64 `json:"three"`   // one of the first three places is true
	Caret   float64 `json:"caret"`   // of all: the text shows a line
	Astray  float64 `json:"astray"`  // the text shows only other lines
	Verdict float64 `json:"verdict_median_s"`
	Search  float64 `json:"search_median_s"`
	Slow    float64 `json:"search_90th_s"`
}

// Shared counts verdicts.
func Shared(aims []*Aim) Shares {
	var s Shares
	var soon, took []time.Duration
	counts := map[*float64]int{}
	count := func(share *float64, holds bool) {
		if holds {
			counts[share]++
		}
	}
	for _, a := range aims {
		if !a.Ran {
			continue
		}
		known := len(a.Lines) > 0
		s.Shaders++
		soon, took = append(soon, a.Soon), append(took, a.Took)
		if known {
			s.Known++
		}
		count(&s.Reason, a.Told || a.Seen)
		count(&s.Caret, a.Caret)
		count(&s.First, known && a.Rank == 1)
		count(&s.Three, known && 0 < a.Rank && a.Rank <= 3)
		count(&s.Astray, known && a.Astray)
	}
	for share, n := range counts {
		whole := s.Known
		if share == &s.Reason || share == &s.Caret {
			whole = s.Shaders
		}
		*share = math.Round(1000*float64(n)/float64(whole)) / 10
	}
	s.Verdict, s.Search, s.Slow = quantile(soon, 0.5), quantile(took, 0.5), quantile(took, 0.9)
	return s
}

// quantile returns in seconds what a part of the times does not exceed.
func quantile(times []time.Duration, part float64) float64 {
	if len(times) == 0 {
		return 0
	}
	slices.Sort(times)
	return times[int(float64(len(times)-1)*part)].Round(time.Millisecond).Seconds()
}
