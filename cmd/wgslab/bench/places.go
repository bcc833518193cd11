package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/wgslab/wgslab/internal/course/judge/zoo"
	"github.com/wgslab/wgslab/internal/ground/fence"
)

// PlacesOptions say which verdicts are measured.
type PlacesOptions struct {
	OneOf    int                // one of so many shaders is drawn
	Seed     uint64             // draws them
	From     string             // a folder of labelled shaders; "" for the course's
	Tool     string             // a command that lists lines of a shader, likeliest first, instead of the judge; "" for the judge
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
	all, err := o.shaders()
	if err != nil {
		return nil, err
	}
	began := time.Now()
	share := zoo.Share(all, o.OneOf, o.Seed)
	aim := func(ctx context.Context, s *zoo.Specimen) (*zoo.Aim, error) { return s.Judge(ctx) }
	if o.Tool != "" {
		dir, err := os.MkdirTemp("", "wgslab-places-")
		if err != nil {
			return nil, fmt.Errorf("making a folder for the shaders: %w", err)
		}
		defer os.RemoveAll(dir)
		aim = toolIn(dir, o.Tool)
	}
	aims, err := judged(ctx, o, share, aim)
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

// shaders returns the shaders of which some are measured.
func (o *PlacesOptions) shaders() ([]zoo.Specimen, error) {
	if o.From != "" {
		return zoo.ReadLabelled(o.From)
	}
	return zoo.Planted()
}

// Write writes the shaders and their true lines to a new folder.
func (o *PlacesOptions) Write(dir string) error {
	all, err := o.shaders()
	if err != nil {
		return err
	}
	return zoo.WriteLabelled(dir, zoo.Share(all, o.OneOf, o.Seed))
}

// aiming looks for the mistake of a specimen.
type aiming func(context.Context, *zoo.Specimen) (*zoo.Aim, error)

// A tool that takes longer than toolTime for a shader has found nothing.
const toolTime = time.Minute

// lineStart matches the number at the start of a tool's line.
var lineStart = regexp.MustCompile(`(?m)^[ \t]*([0-9]{1,9})\b`)

// toolIn returns how a command looks for the mistake. It gets the path of a file in a folder, and
// prints a line number at the start of each line.
func toolIn(dir, command string) aiming {
	words := strings.Fields(command)
	return func(ctx context.Context, s *zoo.Specimen) (*zoo.Aim, error) {
		file := filepath.Join(dir, filepath.FromSlash(s.Name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return nil, fmt.Errorf("making a folder for a shader: %w", err)
		}
		if err := os.WriteFile(file, []byte(s.Text), 0o644); err != nil {
			return nil, fmt.Errorf("writing a shader: %w", err)
		}
		limited, cancel := context.WithTimeout(ctx, toolTime)
		defer cancel()
		began := time.Now()
		tool := exec.CommandContext(limited, words[0], append(words[1:], file)...)
		tool.Stderr = io.Discard
		out, err := tool.Output()
		var exit *exec.ExitError // a tool that finds a mistake may say so by its code
		if err != nil && limited.Err() == nil && !errors.As(err, &exit) {
			return nil, fmt.Errorf("running %s: %w", words[0], err)
		}
		var lines []int
		for _, m := range lineStart.FindAllSubmatch(out, -1) {
			line, _ := strconv.Atoi(string(m[1]))
			lines = append(lines, line)
		}
		a := s.AimOf(lines)
		a.Took = time.Since(began)
		return a, nil
	}
}

// judged judges specimens, several at once.
func judged(ctx context.Context, o PlacesOptions, share []zoo.Specimen, aim aiming) (aims []*zoo.Aim, err error) {
	workers := fence.Limited(max(o.Workers, 1))
	var m sync.Mutex
	for i := range share {
		workers.Go(func() {
			a, failed := aim(ctx, &share[i])
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
