package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/pkg/show/plot"
)

// A ClassReport is what was seen of a class.
type ClassReport struct {
	Time      string  `json:"time"` // RFC 3339
	Learners  int     `json:"learners"`
	Minutes   float64 `json:"minutes"` // until the lesson ended
	Seed      uint64  `json:"seed"`
	Cores     int     `json:"cores"`
	Load      string  `json:"load"`       // of the machine before: the averages of 1, 5 and 15 minutes
	CoresBusy float64 `json:"cores_busy"` // on average, by all that ran on the machine

	Did        map[string]int `json:"did"` // how often the learners did what
	Waits      []Wait         `json:"waits"`
	Violations []Violation    `json:"violations"`
	Ended      []Ended        `json:"ended"`
	Memory     []MemoryUse    `json:"memory"`
	Points     []WaitPoint    `json:"points"`
}

// A Wait summarises how long learners waited for one thing, in milliseconds.
type Wait struct {
	Name    string  `json:"name"`
	Count   int     `json:"count"`
	P50     float64 `json:"p50_ms"`
	P95     float64 `json:"p95_ms"`
	Worst   float64 `json:"worst_ms"`
	GoalP50 float64 `json:"goal_p50_ms,omitempty"`
	GoalP95 float64 `json:"goal_p95_ms,omitempty"`
}

// A WaitPoint is one wait, a number of seconds after the beginning.
type WaitPoint struct {
	At           float64 `json:"at_s"`
	Learner      int     `json:"learner"`
	What         string  `json:"what"`
	Milliseconds float64 `json:"ms"`
}

// A Violation is something that must not happen.
type Violation struct {
	At      float64 `json:"at_s"`
	Learner int     `json:"learner"` // or nobody
	Doing   string  `json:"doing"`
	What    string  `json:"what"`
}

// nobody replaces the learner in a violation that concerns the whole class.
const nobody = -1

// who names whom a violation concerns.
func (v Violation) who() string {
	if v.Learner == nobody {
		return "the class"
	}
	return strings.TrimSuffix(fmt.Sprintf("learner %d, %s", v.Learner, v.Doing), ", ")
}

// An Ended is a process that was ended, as by a hub, because its learner used too much memory.
type Ended struct {
	At        float64 `json:"at_s"`
	Learner   int     `json:"learner"`
	Program   string  `json:"program"`
	Megabytes float64 `json:"mb"`
}

// MemoryUse is the proportional set size of all learners' processes, in megabytes.
type MemoryUse struct {
	At        float64            `json:"at_s"`
	Learners  int                `json:"learners"`
	Processes int                `json:"processes"`
	Total     float64            `json:"mb"`
	Programs  map[string]float64 `json:"programs_mb"`
}

// finish summarises what was seen.
func (r *ClassReport) finish() {
	for _, w := range waits {
		wait := waitOf(w.name, r.Points)
		wait.GoalP50, wait.GoalP95 = float64(w.p50.Milliseconds()), float64(w.p95.Milliseconds())
		if wait.Count > 0 {
			r.Waits = append(r.Waits, wait)
		}
	}
	if early, late, ok := r.growth(); ok && late > early*flat {
		r.Violations = append(r.Violations, Violation{At: r.Minutes * 60, Learner: nobody, What: fmt.Sprintf(
			"memory grew from %.0f to %.0f MB after the first five minutes", early, late)})
	}
	slices.SortStableFunc(r.Violations, func(a, b Violation) int { return int(a.At - b.At) })
}

func waitOf(name string, points []WaitPoint) Wait {
	var times []float64
	for _, p := range points {
		if p.What == name {
			times = append(times, p.Milliseconds)
		}
	}
	w := Wait{Name: name, Count: len(times)}
	if w.Count > 0 {
		slices.Sort(times)
		w.P50, w.P95, w.Worst = percentile(times, 0.5), percentile(times, 0.95), times[len(times)-1]
	}
	return w
}

// percentile returns the smallest value that a share of the sorted values doesn't exceed.
func percentile(sorted []float64, share float64) float64 {
	return sorted[int(math.Ceil(share*float64(len(sorted))))-1]
}

const (
	fiveMinutes = 300 // seconds, in which everybody comes and every program starts
	flat        = 1.1 // how many times more memory still counts as flat
	enoughLooks = 10  // at memory after the five minutes, before a comparison means something
)

// growth compares the memory of the first and the last third of the time after five minutes, while
// everybody is there. ok is false if the class was too short.
func (r *ClassReport) growth() (early, late float64, ok bool) {
	var sizes []float64
	for _, m := range r.Memory {
		if m.At >= fiveMinutes && m.At <= r.Minutes*60 {
			sizes = append(sizes, m.Total)
		}
	}
	if len(sizes) < enoughLooks {
		return 0, 0, false
	}
	third := len(sizes) / 3
	first, last := slices.Sorted(slices.Values(sizes[:third])), slices.Sorted(slices.Values(sizes[len(sizes)-third:]))
	return percentile(first, 0.5), percentile(last, 0.5), true
}

// print prints the report for people.
func (r *ClassReport) print(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%d learners, %.1f minutes, seed %d, %d cores (%.1f of them busy), load before: %s\n\n", r.Learners, r.Minutes, r.Seed, r.Cores, r.CoresBusy, r.Load)
	rows := [][]string{{"A LEARNER WAITS UNTIL", "P50", "P95", "WORST", "COUNT", "GOAL"}}
	for _, w := range r.Waits {
		rows = append(rows, []string{w.Name, milliseconds(w.P50), milliseconds(w.P95), milliseconds(w.Worst), fmt.Sprint(w.Count), w.goal()})
	}
	plaintext.Columns(&b, rows, 0)
	r.printMemory(&b)
	for _, e := range r.Ended {
		fmt.Fprintf(&b, "\nat %s, %s of learner %d was ended with %.0f MB", at(e.At), e.Program, e.Learner, e.Megabytes)
	}
	if len(r.Violations) == 0 {
		b.WriteString("\nNo reply was lost or came twice, no learner saw another's output, nothing was left behind, and nothing ran on while a learner rested.\n")
	}
	for _, v := range r.Violations {
		fmt.Fprintf(&b, "\n✗ at %s, %s: %s", at(v.At), v.who(), v.What)
	}
	_, err := io.WriteString(w, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

func at(seconds float64) string {
	return fmt.Sprintf("%d:%02d", int(seconds)/60, int(seconds)%60)
}

func milliseconds(ms float64) string { return fmt.Sprintf("%.0f ms", ms) }

func (w Wait) goal() string {
	switch {
	case w.GoalP50 == 0:
		return "none"
	case w.P50 <= w.GoalP50 && w.P95 <= w.GoalP95:
		return fmt.Sprintf("%.0f and %.0f ms: met", w.GoalP50, w.GoalP95)
	}
	return fmt.Sprintf("%.0f and %.0f ms: NOT MET", w.GoalP50, w.GoalP95)
}

// printMemory prints the look with the most memory.
func (r *ClassReport) printMemory(b *strings.Builder) {
	if len(r.Memory) == 0 {
		return
	}
	most := slices.MaxFunc(r.Memory, func(a, b MemoryUse) int { return int(a.Total - b.Total) })
	fmt.Fprintf(b, "\nMost memory: %.0f MB in %d processes of %d learners, at %s\n\n", most.Total, most.Processes, most.Learners, at(most.At))
	rows := [][]string{{"PROGRAM", "ALL", "A LEARNER"}}
	for _, name := range largest(most.Programs) {
		rows = append(rows, []string{name, fmt.Sprintf("%.0f MB", most.Programs[name]), fmt.Sprintf("%.0f MB", most.Programs[name]/float64(most.Learners))})
	}
	plaintext.Columns(b, rows, 0)
	if early, late, ok := r.growth(); ok {
		fmt.Fprintf(b, "\nAfter five minutes: %.0f MB. At the end: %.0f MB.\n", early, late)
	} else {
		b.WriteString("\nToo short to tell whether memory stays flat after five minutes.\n")
	}
}

func largest(programs map[string]float64) []string {
	var names []string
	for name := range programs {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return int(programs[b]) - int(programs[a]) })
	return names
}

// files returns the report as JSON and its pictures, by the names of the files.
func (r *ClassReport) files() (map[string][]byte, error) {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the report: %w", err)
	}
	files := map[string][]byte{"soak.json": append(data, '\n')}
	for name, picture := range map[string]plot.Lines{
		"verdicts.png": r.latency(verdictTook), "go.png": r.latency(cellTook), "memory.png": r.memory(),
	} {
		if len(picture.At) > 0 {
			files[name] = picture.PNG()
		}
	}
	return files, nil
}

// latency draws one wait over time. Nobody waited in a part of the time that it leaves out.
func (r *ClassReport) latency(name string) plot.Lines {
	const parts = 30
	l := plot.Lines{X: "minutes", Y: "ms, " + name, Names: []string{"p95", "p50"}, Values: make([][]float32, 2)}
	length := r.Minutes * 60 / parts
	for i := range parts {
		from := float64(i) * length
		var within []WaitPoint
		for _, p := range r.Points {
			if p.At >= from && p.At < from+length {
				within = append(within, p)
			}
		}
		if w := waitOf(name, within); w.Count > 0 {
			l.At = append(l.At, float32((from+length/2)/60))
			l.Values[0], l.Values[1] = append(l.Values[0], float32(w.P95)), append(l.Values[1], float32(w.P50))
		}
	}
	return l
}

// memory draws the memory of all, and of the programs that need the most.
func (r *ClassReport) memory() plot.Lines {
	l := plot.Lines{X: "minutes", Y: "MB, all learners", Names: []string{"everything"}}
	sums := map[string]float64{}
	for _, m := range r.Memory {
		for name, size := range m.Programs {
			sums[name] += size
		}
	}
	names := largest(sums)
	names = names[:min(3, len(names))]
	for _, name := range names {
		l.Names = append(l.Names, strings.TrimPrefix(name, "wgslab "))
	}
	l.Values = make([][]float32, len(l.Names))
	for _, m := range r.Memory {
		l.At = append(l.At, float32(m.At/60))
		l.Values[0] = append(l.Values[0], float32(m.Total))
		for i, name := range names {
			l.Values[i+1] = append(l.Values[i+1], float32(m.Programs[name]))
		}
	}
	return l
}
