// Package similarity finds equal and similar shaders in a class. It reports what is alike, not
// why.
package similarity

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
	"github.com/wgslab/wgslab/internal/fronts/class/submission"
	"github.com/wgslab/wgslab/internal/ground/english"
	"github.com/wgslab/wgslab/internal/ground/plaintext"
	"github.com/wgslab/wgslab/internal/machine/shader"
	"github.com/wgslab/wgslab/internal/wgsl"
)

// The thresholds for similar shaders. They come from the shaders of the course and its tests. The
// usual answers to the shortest exercises have fewer than 60 tokens of their own. In longer
// exercises, answers with different approaches share at most 0.73.
const (
	leastOwn = 60 // the minimum number of tokens, besides the skeleton's, for a comparison

	gram       = 5    // tokens per run
	leastShare = 0.75 // the minimum share of both shaders' runs, for a pair to be reported
	leastRare  = 10   // the minimum number of shared runs that few other students have
	// A run is common, and therefore ignored, if more than a quarter of the class has it, or in a
	// small class more than five students.
	commonPart, commonLeast = 0.25, 5

	mostTokens = 4096 // the tokens of a shader that are cut into runs; references have up to 450
	mostPairs  = 50   // the pairs reported per exercise
)

// Likeness is the way in which shaders are the same.
type Likeness int

// The likenesses, the closest first.
const (
	SameText   Likeness = iota
	SameTokens          // except for layout and comments
	SameShape           // except for the names that the shader itself declares
	differing
)

// String describes the likeness in words.
func (l Likeness) String() string {
	return [...]string{"the same text", "the same except for layout and comments", "the same except for names"}[l]
}

// A Similarity lists what the shaders of one exercise have in common. It is a fact, not a
// judgement.
type Similarity struct {
	Exercise  string
	Students  int       // those who handed in more than the skeleton
	Short     int       // those whose shader is too short to compare
	Groups    []Cluster // the same shader, the closest likeness first
	Pairs     []Pair    // nearly the same, the closest first
	MorePairs int       // the number of pairs that are not in Pairs
}

// A Cluster is a set of students with the same shader.
type Cluster struct {
	Who
	Likeness Likeness
}

// A Pair is two shaders that are nearly the same. Share is their resemblance (A. Broder, "On the
// resemblance and containment of documents", 1997): of all runs of five tokens that either has,
// the fraction that both have. It ignores comments, layout, the student's own names, and the
// skeleton's runs.
type Pair struct {
	A, B  Who
	Share float64 // 0.75 to 1
}

// Who lists the students with a shader.
type Who struct {
	Students  []string // sorted
	Reference bool     // the course's own shader is the same
}

// Find finds what the students' shaders have in common, exercise by exercise. It leaves out
// exercises with given lines, whose right shaders are all alike, and those of the optional part
// that nobody has handed in.
func Find(submissions []submission.Submission) ([]Similarity, error) {
	var all []Similarity
	for _, e := range course.All() {
		if e.Kind != course.Write {
			continue
		}
		c, err := compare(e, submissions)
		if err != nil {
			return nil, err
		}
		if r := c.result(); r.Students > 0 || !e.IsBeyond() {
			all = append(all, r)
		}
	}
	return all, nil
}

// compare prepares the comparison of one exercise's shaders.
func compare(e *course.Exercise, submissions []submission.Submission) (*comparison, error) {
	skeleton, err := e.Skeleton()
	if err != nil {
		return nil, err
	}
	reference, err := e.Reference()
	if err != nil {
		return nil, err
	}
	c := newComparison(e.ID, skeleton+leftOut(reference.Text, skeleton))
	for _, s := range submissions {
		if own, ok := s.Shaders[e.ID]; ok && len(own.Source) <= shader.MaxSource {
			c.add(newProgram(s.Student, own.Source))
		}
	}
	if len(c.long) > 0 {
		c.add(newProgram("", reference.Text))
	}
	return c, nil
}

// leftOut returns the parts of a shader that the task decides, and that a skeleton leaves to the
// student: structs, bindings, and the head of an entry point.
func leftOut(text, skeleton string) string {
	var frame strings.Builder
	has := map[string]bool{}
	for line := range strings.Lines(skeleton) {
		has[strings.TrimSpace(line)] = true
	}
	within := "" // what ends the part
	for line := range strings.Lines(text) {
		switch trimmed := strings.TrimSpace(line); {
		case within == "" && has[trimmed]:
		case within != "":
			frame.WriteString(line)
			if strings.HasSuffix(trimmed, within) {
				within = ""
			}
		case strings.HasPrefix(trimmed, "struct "):
			frame.WriteString(line)
			within = "}"
		case strings.HasPrefix(trimmed, "@compute"):
			frame.WriteString(line)
			within = "{"
		case strings.HasPrefix(trimmed, "@group"):
			frame.WriteString(line)
		}
	}
	return frame.String()
}

// A comparedProgram is one student's shader, or the reference, with "" as its student.
type comparedProgram struct {
	student string
	tokens  []wgsl.Token
	keys    [differing]string // two shaders are the same in a way if the keys are equal
}

func newProgram(student, source string) comparedProgram {
	s := comparedProgram{student: student, tokens: wgsl.Tokens(source)}
	var texts, shapes strings.Builder
	order := map[string]int{} // the names by first occurrence
	for _, t := range s.tokens {
		texts.WriteString(t.Text + "\x00")
		if t.Name == "" {
			shapes.WriteString(t.Text + "\x00")
			continue
		}
		if _, known := order[t.Name]; !known {
			order[t.Name] = len(order)
		}
		shapes.WriteString("name " + strconv.Itoa(order[t.Name]) + "\x00")
	}
	s.keys = [...]string{SameText: source, SameTokens: texts.String(), SameShape: shapes.String()}
	return s
}

// A comparison compares the shaders of one exercise.
type comparison struct {
	skeleton comparedProgram
	given    map[string]bool   // the skeleton's names
	counts   map[string]int    // the skeleton's tokens, with the number of occurrences
	long     []comparedProgram // the shaders long enough to compare
	found    Similarity
}

func newComparison(exercise, source string) *comparison {
	c := &comparison{
		skeleton: newProgram("", source), given: map[string]bool{}, counts: map[string]int{},
		found: Similarity{Exercise: exercise},
	}
	for _, t := range c.skeleton.tokens {
		if t.Name != "" {
			c.given[t.Name] = true
		}
	}
	for _, t := range c.skeleton.tokens {
		c.counts[c.plain(t)]++
	}
	return c
}

// plain returns a token without the name that the student chose. It keeps the skeleton's names,
// because they say which buffer is read.
func (c *comparison) plain(t wgsl.Token) string {
	if t.Name != "" && !c.given[t.Name] {
		return "$"
	}
	return t.Text
}

func (c *comparison) add(s comparedProgram) {
	if s.keys[SameShape] == c.skeleton.keys[SameShape] {
		return
	}
	short := c.own(s) < leastOwn
	if s.student != "" {
		c.found.Students++
		if short {
			c.found.Short++
		}
	}
	if !short {
		c.long = append(c.long, s)
	}
}

// own returns how many tokens a shader has besides the skeleton's.
func (c *comparison) own(s comparedProgram) int {
	used := map[string]int{}
	own := 0
	for _, t := range s.tokens {
		text := c.plain(t)
		if used[text]++; used[text] > c.counts[text] {
			own++
		}
	}
	return own
}

func (c *comparison) result() Similarity {
	variants := classes(c.long, SameShape)
	for _, v := range variants {
		c.group(v, SameShape)
	}
	slices.SortFunc(c.found.Groups, func(a, b Cluster) int {
		return cmp.Or(cmp.Compare(a.Likeness, b.Likeness), slices.Compare(a.Students, b.Students))
	})
	c.pairs(variants)
	return c.found
}

// classes groups the shaders that are the same in a way, in their original order.
func classes(all []comparedProgram, l Likeness) [][]comparedProgram {
	place := map[string]int{}
	var found [][]comparedProgram
	for _, s := range all {
		at, known := place[s.keys[l]]
		if !known {
			at = len(found)
			place[s.keys[l]] = at
			found = append(found, nil)
		}
		found[at] = append(found[at], s)
	}
	return found
}

// group reports the shaders that are the same in a way, and the closer groups among them. It
// reports a group only once if all of its members are closer.
func (c *comparison) group(same []comparedProgram, l Likeness) {
	if len(same) < 2 {
		return
	}
	closer := [][]comparedProgram{}
	if l > SameText {
		closer = classes(same, l-1)
	}
	if len(closer) != 1 {
		c.found.Groups = append(c.found.Groups, Cluster{who(same), l})
	}
	for _, class := range closer {
		c.group(class, l-1)
	}
}

func who(same []comparedProgram) Who {
	var w Who
	for _, s := range same {
		if s.student == "" {
			w.Reference = true
			continue
		}
		w.Students = append(w.Students, s.student)
	}
	slices.Sort(w.Students)
	return w
}

// A variant is a shader as the set of its runs of tokens. A run is given by its rank: runs that
// the fewest students have come first.
type variant struct {
	who  Who
	runs []int
}

// pairs finds the variants that are nearly the same. Two variants that share the fraction t of
// their runs share one of their first few, so only those need a look-up (prefix filtering: R.
// Bayardo, Y. Ma, R. Srikant, "Scaling up all pairs similarity search", 2007).
func (c *comparison) pairs(same [][]comparedProgram) {
	variants, rare := c.variants(same)
	holders := map[int][]int{} // the earlier variants that have a run
	for b, v := range variants {
		prefix := v.runs[:len(v.runs)-int(math.Ceil(leastShare*float64(len(v.runs))))+min(1, len(v.runs))]
		seen := map[int]bool{}
		for _, run := range prefix {
			for _, a := range holders[run] {
				if !seen[a] {
					seen[a] = true
					c.pair(variants[a], v, rare)
				}
			}
			holders[run] = append(holders[run], b)
		}
	}
	c.closest()
}

// variants cuts each shader into runs. The ranks below rare belong to runs that are not common.
func (c *comparison) variants(same [][]comparedProgram) (found []variant, rare int) {
	ids := map[[gram]string]int{}
	students := []int{} // the number of students who have a run, by its id
	given := map[[gram]string]bool{}
	for _, run := range c.runs(c.skeleton) {
		given[run] = true
	}
	for _, class := range same {
		v := variant{who: who(class)}
		for _, run := range c.runs(class[0]) {
			if given[run] {
				continue
			}
			id, known := ids[run]
			if !known {
				id = len(ids)
				ids[run] = id
				students = append(students, 0)
			}
			v.runs = append(v.runs, id)
		}
		slices.Sort(v.runs)
		v.runs = slices.Compact(v.runs)
		for _, id := range v.runs {
			students[id] += len(v.who.Students)
		}
		found = append(found, v)
	}
	ranks, rare := rank(students, max(commonLeast, int(commonPart*float64(c.found.Students))))
	for _, v := range found {
		for i, id := range v.runs {
			v.runs[i] = ranks[id]
		}
		slices.Sort(v.runs)
	}
	return found, rare
}

// rank orders the runs by how many students have them. It also returns how many runs at most
// `most` students have.
func rank(students []int, most int) (ranks []int, rare int) {
	order := make([]int, len(students))
	for id := range order {
		order[id] = id
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(students[a], students[b]) })
	ranks = make([]int, len(students))
	for rank, id := range order {
		ranks[id] = rank
		if students[id] <= most {
			rare++
		}
	}
	return ranks, rare
}

// runs returns all runs of tokens, without the names that the student chose.
func (c *comparison) runs(s comparedProgram) [][gram]string {
	tokens := s.tokens[:min(len(s.tokens), mostTokens)]
	var runs [][gram]string
	var run [gram]string
	for i, t := range tokens {
		copy(run[:], run[1:])
		run[gram-1] = c.plain(t)
		if i >= gram-1 {
			runs = append(runs, run)
		}
	}
	return runs
}

func (c *comparison) pair(a, b variant, rare int) {
	shared, sharedRare := overlap(a.runs, b.runs, rare)
	share := float64(shared) / float64(len(a.runs)+len(b.runs)-shared)
	if share < leastShare || sharedRare < leastRare {
		return
	}
	c.found.Pairs = append(c.found.Pairs, Pair{a.who, b.who, share})
	if len(c.found.Pairs) >= 4*mostPairs {
		c.closest()
	}
}

// closest keeps the most similar pairs.
func (c *comparison) closest() {
	slices.SortStableFunc(c.found.Pairs, func(a, b Pair) int {
		return cmp.Or(-cmp.Compare(a.Share, b.Share), slices.Compare(a.A.Students, b.A.Students), slices.Compare(a.B.Students, b.B.Students))
	})
	if more := len(c.found.Pairs) - mostPairs; more > 0 {
		c.found.Pairs = c.found.Pairs[:mostPairs]
		c.found.MorePairs += more
	}
}

// overlap counts the elements that two sorted sets share, and how many of them are below rare.
func overlap(a, b []int, rare int) (shared, sharedRare int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			shared++
			if a[i] < rare {
				sharedRare++
			}
			i++
			j++
		}
	}
	return shared, sharedRare
}

// Write writes the results of Find for people.
func Write(w io.Writer, all []Similarity) error {
	var b strings.Builder
	b.WriteString("Similar shaders. This is a fact, not a judgement: some answers are obvious,\nstudents may learn together, and the course shows its own shader to everyone\nwho has passed.\n")
	var none, short, untouched []string
	pairs := false
	for _, s := range all {
		switch {
		case s.Students == 0:
			untouched = append(untouched, s.Exercise)
		case s.Students == s.Short:
			short = append(short, s.Exercise)
		case len(s.Groups)+len(s.Pairs) == 0:
			none = append(none, s.Exercise)
		default:
			s.write(&b)
			pairs = pairs || len(s.Pairs) > 0
		}
	}
	b.WriteString("\n")
	for _, rest := range []struct {
		what      string
		exercises []string
	}{
		{"Nothing alike", none},
		{"Every answer is too short to compare", short},
		{"Nobody's", untouched},
	} {
		if len(rest.exercises) > 0 {
			fmt.Fprintf(&b, "%s: %s.\n", rest.what, strings.Join(rest.exercises, ", "))
		}
	}
	fmt.Fprintf(&b, "Shaders with fewer than %d tokens of their own are not compared.\n", leastOwn)
	if pairs {
		fmt.Fprintf(&b, "%% alike: the share of runs of %d tokens that both shaders have, among those that\neither has. Comments, layout, the students' own names and the notebook's skeleton\ndon't count. The list has only pairs that share what few others have.\n", gram)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s Similarity) write(b *strings.Builder) {
	fmt.Fprintf(b, "\n%s: %s", s.Exercise, english.Count(s.Students, "student", "students"))
	if s.Short > 0 {
		fmt.Fprintf(b, ", %d of them with too short a shader to compare", s.Short)
	}
	b.WriteString("\n")
	for _, g := range s.Groups {
		fmt.Fprintf(b, "  %s, %d of %d: %s\n", g.Likeness, len(g.Students), s.Students, g.Who)
	}
	for _, p := range s.Pairs {
		// Rounded down, so that shaders that differ never show 100 %.
		fmt.Fprintf(b, "  %d %% alike: %s | %s\n", int(100*p.Share), p.A, p.B)
	}
	if s.MorePairs > 0 {
		fmt.Fprintf(b, "  and %s, none of them more alike\n", english.Count(s.MorePairs, "more pair", "more pairs"))
	}
}

// String names the students, but at most ten.
func (w Who) String() string {
	const most = 10
	var names []string
	for _, student := range w.Students[:min(len(w.Students), most)] {
		names = append(names, plaintext.OneLine(student))
	}
	if more := len(w.Students) - most; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	if w.Reference {
		names = append(names, "the course's own shader")
	}
	return strings.Join(names, ", ")
}
