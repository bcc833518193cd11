package cost

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/machine/sim"
	"github.com/wgslab/wgslab/internal/machine/sim/ir"
	"github.com/wgslab/wgslab/internal/wgsl/findings"
)

// A Comparison is what a shader costs on a device, beside the reference, if there is one, and the
// least.
type Comparison struct {
	Device    GPU           `json:"device"`
	Yours     *DispatchCost `json:"yours"`
	Reference *DispatchCost `json:"reference,omitempty"`

	Bound          LowerBound `json:"bound"`
	ReferenceBound LowerBound `json:"reference_bound"`
	Least          float64    `json:"least_seconds"` // if each byte moved once, and nobody idled
	Summary        []string   `json:"summary"`
	Marks          Marks      `json:"marks,omitempty"`
}

// Alone is what a shader costs in a dispatch on a device, without a reference. Its errors are those
// of Of.
func Alone(ctx context.Context, source *shader.Source, p *sim.BoundProgram, on GPU) (*Comparison, error) {
	yours, err := of(ctx, source, p.Workgroups, p.Pipeline.WorkgroupSize, func() (*sim.Counter, error) {
		return p.Counter(p.Workgroups, p.Buffers, DefaultSteps)
	})
	if err != nil {
		return nil, err
	}
	yours.Exercise, yours.Case = source.Name, source.EntryPoint()
	return &Comparison{Device: on, Yours: yours, Bound: yours.On(on), Least: yours.Least(on), Summary: yours.Summary(on)}, nil
}

// Summary says how long the shader takes at least, which limit decides, and why, one sentence each.
func (r *DispatchCost) Summary(on GPU) []string {
	b := r.On(on)
	limit := b.Limits[0].Name
	said := []string{fmt.Sprintf("Limited by %s: at least %s on %s.", limit, Duration(b.Seconds), on.Title)}
	if b.Limits[0].Seconds < dispatching {
		said[0] = fmt.Sprintf("At least %s on %s, most of it to begin: this case is too small to tell.", Duration(b.Seconds), on.Title)
	}
	said = append(said, map[string]func() []string{
		Memory: r.whyMemory, Cache: r.whyCache, Requests: r.whyRequests, Workgroup: r.whyTurns, Arithmetic: r.whyArithmetic,
		Latency: func() []string { return r.whyLatency(on) }, Atomics: r.whyAtomics,
	}[limit]()...)
	if limit != Atomics && r.atomicsQueue(b) {
		said = append(said, fmt.Sprintf("Its %s atomics may decide instead: many meet on the same words, and how they queue isn't in this bound.", short(r.Total.Atomics)))
	}
	if !r.Finished {
		said = append(said, "A workgroup took too many steps to count them all, so the true costs are higher.")
	}
	return said
}

// queued is how many times the bound of atomics a GPU may take if they queue.
const queued = 5

// atomicsQueue reports whether the atomics may take longer than the limit that decides: most of
// them meet a neighbour's on the same word, or those on one line would take as long if they queue.
func (r *DispatchCost) atomicsQueue(b LowerBound) bool {
	hot := 0.0
	for _, limit := range b.Limits {
		if limit.Name == Atomics {
			hot = limit.Seconds
		}
	}
	return 2*r.Total.Repeated > r.Total.Atomics || hot > 0 && queued*hot >= b.Limits[0].Seconds
}

func (r *DispatchCost) whyMemory() []string {
	return []string{fmt.Sprintf("Each byte has to come from memory or go to it once: %s.", bytesText(r.Total.Once))}
}

// whyCache names the buffer that the workgroups fetch most often.
func (r *DispatchCost) whyCache() []string {
	said := fmt.Sprintf("The workgroups fetch %s from the cache that they share, but %s would do", bytesText(r.Total.Touched), bytesText(r.Total.Once))
	v := slices.MaxFunc(r.Variables, func(a, b StorageVariable) int { return cmp.Compare(a.Read+a.Written, b.Read+b.Written) })
	if again := (v.Read + v.Written) / max(v.Bytes, 1); again >= twice {
		return []string{said + fmt.Sprintf(": they fetch `%s` %s times.", v.Name, short(again))}
	}
	return []string{said + "."}
}

// twice is how many times the least is worth a word.
const twice = 1.5

// scattered is how many lines 32 neighbours touch if they aren't near each other.
const scattered = 4

// whyRequests names the access that touches most lines.
func (r *DispatchCost) whyRequests() []string {
	line, a := r.most(func(a AccessSite) float64 { return a.Requests })
	if a != nil && a.Requests >= scattered*a.Strips && a.Moved >= twice*a.Least {
		return []string{fmt.Sprintf("On %s, 32 neighbours together move %s for `%s`, but %s would do if they touched bytes side by side.",
			line, bytesText(a.Moved/a.Strips), a.Text, bytesText(a.Least/a.Strips))}
	}
	return r.whyOften()
}

// whyOften names the buffer whose elements are read most often.
func (r *DispatchCost) whyOften() []string {
	often := slices.MaxFunc(r.Variables, func(a, b StorageVariable) int { return cmp.Compare(a.Times, b.Times) })
	if often.Times < twice {
		return nil
	}
	return []string{fmt.Sprintf("Each element of `%s` is read %s times, and each read takes the unit that loads.", often.Name, short(often.Times))}
}

func (r *DispatchCost) whyTurns() []string {
	line, a := r.most(func(a AccessSite) float64 { return a.Turns })
	if a == nil {
		return nil
	}
	if a.Turns >= twice*a.LeastTurns {
		return []string{fmt.Sprintf("On %s, 32 neighbours wait %s turns for banks of workgroup memory at `%s`, but %s would do.",
			line, short(a.Turns/a.Strips), a.Text, short(a.LeastTurns/a.Strips))}
	}
	products := r.Total.Done[ir.MultiplyAdd.String()]
	if products == 0 {
		return []string{fmt.Sprintf("Most of these reads and writes are on %s.", line)}
	}
	return []string{fmt.Sprintf("Each multiply-add waits for %s accesses of memory: more results for each number read would help.",
		short(ir.Neighbours*r.Total.Accesses/products))}
}

func (r *DispatchCost) whyArithmetic() []string {
	done, idle := 0.0, 0.0
	for class, each := range operationCost {
		done, idle = done+each*r.Total.Done[class], idle+each*r.Total.Idle[class]
	}
	if idle >= done/2 {
		return []string{fmt.Sprintf("Invocations idle in %.0f %% of it, while their neighbours compute.", 100*idle/(done+idle))}
	}
	return []string{fmt.Sprintf("It does %s multiply-adds and %s functions or divisions.", short(r.Total.Done[ir.MultiplyAdd.String()]),
		short(r.Total.Done[ir.Function.String()]+r.Total.Done[ir.Division.String()]))}
}

func (r *DispatchCost) whyLatency(on GPU) []string {
	said := []string{fmt.Sprintf("One operation waits for the one before: a workgroup takes about %s cycles, even alone.", short(r.Total.Cycles))}
	switch groups, room := r.Groups(), on.Cores*r.Resident(on); {
	case r.Total.Heaviest >= 2:
		said = append(said, fmt.Sprintf("One workgroup does %s times the mean of all: the others end early.", short(r.Total.Heaviest)))
	case groups < on.Cores:
		said = append(said, fmt.Sprintf("%s can't fill %d multiprocessors.", english.Count(groups, "workgroup", "workgroups"), on.Cores))
	case r.Total.BarrierIdle >= 0.5:
		said = append(said, fmt.Sprintf("Of the time before barriers, an invocation waits %.0f %%.", 100*r.Total.BarrierIdle))
	case groups > room:
		said = append(said, fmt.Sprintf("%d workgroups have room at once, so %d run in several waves.", room, groups))
	}
	return said
}

func (r *DispatchCost) whyAtomics() []string {
	said := fmt.Sprintf("%s atomics change the same 128 bytes of a buffer, one after the other.", short(r.Total.HotAtomics))
	if r.Total.HotCycles > r.Total.HotAtomics {
		return []string{said, "A compare-exchange begins again whenever another invocation came between. These retries aren't counted, and a GPU may take 20 times as long."}
	}
	return []string{said, "How they queue isn't modelled: a GPU may take five times as long."}
}

// most returns the access with the largest count, and where its line is.
func (r *DispatchCost) most(of func(AccessSite) float64) (line string, most *AccessSite) {
	for i := range r.Lines {
		for j := range r.Lines[i].Accesses {
			if a := &r.Lines[i].Accesses[j]; of(*a) > 0 && (most == nil || of(*a) > of(*most)) {
				line, most = findings.Region{File: r.Lines[i].File, Line: r.Lines[i].Line}.LineName(), a
			}
		}
	}
	return line, most
}

// Footnote says what the counts assume and what they leave out.
const Footnote = "The counts assume 32 neighbours, sectors of 32 bytes, lines of 128 and 32 banks, as in NVIDIA's GPUs. " +
	"They leave out integer arithmetic, which compilers move out of loops, what caches keep from other workgroups, how often an invocation tries again if others come between, and the compiler's own ideas. " +
	"A GPU may take longer than the bound, and another GPU may rank shaders differently."

// Head names the case and the dispatch.
func (r *DispatchCost) Head() string {
	return fmt.Sprintf("%s, %s: %s of %s", r.Exercise, r.Case, english.Count(r.Groups(), "workgroup", "workgroups"), sizeText(r.Size))
}

// Text formats the comparison for a terminal.
func (c *Comparison) Text() string {
	var b strings.Builder
	r := c.Yours
	b.WriteString(r.Head() + "\n")
	b.WriteString(strings.Join(c.Summary, "\n") + "\n\n")
	head := []string{"", "YOURS", "REFERENCE"}
	if c.Reference == nil {
		head = []string{"", "YOURS"}
	}
	plaintext.Columns(&b, append([][]string{head}, c.Rows()...), 0)
	b.WriteString("\n")
	if c.Reference != nil {
		if roofline, ok := c.Roofline(); ok {
			b.WriteString(roofline.Text() + "\n\n")
		}
	}
	plaintext.Columns(&b, r.LineRows(), 0)
	if len(c.Marks) > 0 {
		b.WriteString("\n" + c.Marks.Text() + "\n")
	}
	fmt.Fprintf(&b, "\nIt counted %s and took the others to be alike.\n%s\n", english.Count(r.Counted, "workgroup", "workgroups"), Footnote)
	return b.String()
}

// Rows compares the totals: the name of each, yours and, if there is one, the reference's.
func (c *Comparison) Rows() [][]string {
	if c.Reference != nil {
		return CompareTotals(c.Device, c.Yours, c.Reference)
	}
	rows := CompareTotals(c.Device, c.Yours, c.Yours)
	for i := range rows {
		rows[i] = rows[i][:2]
	}
	return rows
}

// CompareTotals compares the totals of two reports: the name of each, and both values.
func CompareTotals(on GPU, left, right *DispatchCost) [][]string {
	row := func(name string, text func(r *DispatchCost, b LowerBound) string) []string {
		return []string{name, text(left, left.On(on)), text(right, right.On(on))}
	}
	size := func(name string, of func(t *Total) float64) []string {
		return row(name, func(r *DispatchCost, _ LowerBound) string { return bytesText(of(&r.Total)) })
	}
	count := func(name string, of func(t *Total) float64) []string {
		return row(name, func(r *DispatchCost, _ LowerBound) string { return short(of(&r.Total)) })
	}
	rows := [][]string{
		row("at least", func(_ *DispatchCost, b LowerBound) string { return Duration(b.Seconds) }),
		row("limited by", func(_ *DispatchCost, b LowerBound) string { return b.Limits[0].Name }),
		size("moved by 32 neighbours together", func(t *Total) float64 { return t.Moved }),
		size("  side by side, it would be", func(t *Total) float64 { return t.Least }),
		size("fetched by workgroups", func(t *Total) float64 { return t.Touched }),
		size("each byte once", func(t *Total) float64 { return t.Once }),
		count("turns of banks", func(t *Total) float64 { return t.Turns }),
		count("  without conflicts", func(t *Total) float64 { return t.LeastTurns }),
		count("steps of groups of 32", func(t *Total) float64 { return t.GroupSteps }),
		count("  if nothing in them idled", func(t *Total) float64 { return t.LeastSteps }),
		count("atomics", func(t *Total) float64 { return t.Atomics }),
	}
	for class := ir.MultiplyAdd; class < ir.Classes; class++ {
		rows = append(rows, count(class.String(), func(t *Total) float64 { return t.Done[class.String()] }))
	}
	rows = append(rows,
		row("accesses for a multiply-add", func(r *DispatchCost, _ LowerBound) string {
			products := r.Total.Done[ir.MultiplyAdd.String()]
			if products == 0 {
				return "0"
			}
			return short(ir.Neighbours * r.Total.Accesses / products)
		}),
		count("barriers", func(t *Total) float64 { return t.Barriers }),
		size("workgroup memory", func(t *Total) float64 { return float64(t.WorkgroupBytes) }),
		count("values held at once", func(t *Total) float64 { return float64(t.Live) }),
		row("workgroups at once in a multiprocessor", func(r *DispatchCost, _ LowerBound) string { return fmt.Sprint(r.Resident(on)) }),
	)
	return slices.DeleteFunc(rows, func(row []string) bool { return (row[1] == "0" || row[1] == "0 B") && row[1] == row[2] })
}

// LineRows lists the lines that cost something, below a row of headers.
func (r *DispatchCost) LineRows() [][]string {
	rows := [][]string{{"LINE", "", "MOVED", "(LEAST)", "TURNS", "(LEAST)", "OPERATIONS", "IDLE"}}
	for _, l := range r.Lines {
		c := l.sum()
		if c.moved+c.turns+c.operations+l.Barriers == 0 {
			continue
		}
		row := []string{fmt.Sprint(l.Line), plaintext.Cut(l.Text, 48), "", "", "", "", "", ""}
		if l.File != "" {
			row[0] = fmt.Sprintf("%s:%d", filepath.Base(l.File), l.Line)
		}
		if c.moved > 0 {
			row[2], row[3] = bytesText(c.moved), bytesText(c.least)
		}
		if c.turns > 0 {
			row[4], row[5] = short(c.turns), short(c.leastTurns)
		}
		if c.operations > 0 {
			row[6] = short(c.operations)
		}
		if idle := max(l.Idle, l.BarrierIdle); idle >= 0.005 {
			row[7] = fmt.Sprintf("%.0f\u00a0%%", 100*idle) // in one line, however narrow the column
		}
		rows = append(rows, row)
	}
	return rows
}

// A lineSum adds up the accesses and the operations of a line.
type lineSum struct{ moved, least, turns, leastTurns, operations float64 }

func (l *LineCost) sum() (c lineSum) {
	for _, a := range l.Accesses {
		c.moved, c.least = c.moved+a.Moved, c.least+a.Least
		c.turns, c.leastTurns = c.turns+a.Turns, c.leastTurns+a.LeastTurns
	}
	for _, n := range l.Done {
		c.operations += n
	}
	return c
}

func sizeText(s [3]uint32) string {
	text := fmt.Sprint(s[0])
	for axis := 1; axis < 3; axis++ {
		if s[axis] > 1 || axis == 1 && s[2] > 1 {
			text += fmt.Sprintf(" × %d", s[axis])
		}
	}
	return text
}

// bytesText formats a number of bytes: 96 B, 1.18 MB.
func bytesText(n float64) string {
	if n < 1000 {
		return short(n) + " B"
	}
	for _, unit := range []string{"kB", "MB", "GB"} {
		if n /= 1000; n < 1000 || unit == "GB" {
			return short(n) + " " + unit
		}
	}
	return ""
}

// short formats a number with three digits: 1.5, 192, 7.08 million.
func short(n float64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.3g billion", n/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.3g million", n/1e6)
	case n >= 1000:
		return fmt.Sprintf("%d,%03d", int(n)/1000, int(n)%1000)
	}
	return fmt.Sprintf("%.3g", n)
}
