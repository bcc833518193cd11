package tutor

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
)

var (
	lineForm   = regexp.MustCompile(`(?i)\blines?\s+(\d+(?:\s*(?:,|-|–|to|and|or|through)\s*\d+)*)`)
	digits     = regexp.MustCompile(`\d+`)
	quotedForm = regexp.MustCompile("`([^`]+)`")
	nameForm   = regexp.MustCompile(`[A-Za-z_]\w*`)
	// A number alone: "3", "12.1", "1,005". In words, it counts something: "twice", "two of eight".
	numberForm = regexp.MustCompile(`(?i)\b\d{1,3}(?:,\d{3})+\b|\b\d+(?:\.\d+)?(?:e[-+]?\d+)?[fuh]?\b|\btwice\b|\b(?:` + strings.Join(numberWords[2:], "|") + `)\b(?:\s+(?:of|(?:\w+\s+)?(?:cases|times|rounds|steps|elements|invocations|threads|workgroups|barriers|loops|lines)))`)
	lessOne    = regexp.MustCompile(`[-−+]\s+1\b`) // n - 1
	sizesForm  = regexp.MustCompile(`@workgroup_size\([^)]*\)|\bconst\b[^;]*;`)
	// supposing are the words after which a sentence states nothing.
	supposing   = regexp.MustCompile(`(?i)\b(?:if|suppose|imagine|assume|assuming|unless|would)\b[^.?!\n]*`)
	sentenceEnd = regexp.MustCompile(`[.!?:;]\s+|\n`)
	// ofProgram finds what only a sentence about the learner's program or its run has.
	ofProgram = regexp.MustCompile("(?i)\\b(?:you|your|cases?)\\b|`|\\[|\\b(?:invocation|thread|workgroup)s?\\s+\\(?\\d")

	// ofYours finds a sentence, and no question, about what the learner has written.
	ofYours = regexp.MustCompile(`(?i)\b(?:you|your|the\s+(?:guard|condition|loop|tree|barrier|shader|formula))\b(?:[^.?!\n]|[.!]\S)*(?:[.!](?:\s|$)|\n|$)`)

	// numberWords are numbers as a text may say them.
	numberWords = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")
)

// uncovered returns what a text says about the program that no fact has: a line, an element, a
// name, a number, or a sentence about what the learner has done; "" if there is nothing. What is as
// in the task's own text needs no fact.
func uncovered(e *course.Exercise, p program, text string, facts []fact) string {
	s := statedBy(facts)
	for _, m := range lineForm.FindAllStringSubmatch(text, -1) {
		for _, n := range digits.FindAllString(m[1], -1) {
			if line, _ := strconv.Atoi(n); !s.lines[line] {
				return "line " + n
			}
		}
	}
	if e.IsOnHost() || p.Text == "" {
		return ""
	}
	text = lineForm.ReplaceAllString(text, "")
	given := e.Task + "\n" + strings.Join(e.Hints, "\n")
	if name := s.leavesOut(p, text, given); name != "" {
		return name
	}
	text = supposing.ReplaceAllString(text, "")
	if said := ofYours.FindString(text); said != "" && len(facts) == 0 {
		return strings.TrimSpace(said)
	}
	return s.leavesOutNumber(p, text, given)
}

// leavesOut returns an element or a name of the program that isn't stated.
func (s statement) leavesOut(p program, text, given string) string {
	for _, element := range elementForm.FindAllString(text, -1) {
		if element = plainElement(element); !strings.Contains(s.text, element) && !strings.Contains(given, element) {
			return element
		}
	}
	known, own := wordsIn(given), wordsIn(p.Text)
	for _, m := range quotedForm.FindAllStringSubmatch(text, -1) {
		for _, name := range nameForm.FindAllString(m[1], -1) {
			if own[name] && !known[name] && !s.words[name] {
				return m[1]
			}
		}
	}
	return ""
}

// leavesOutNumber returns a number that isn't stated, if its sentence is about the program. The
// task's numbers are known beside the same word.
func (s statement) leavesOutNumber(p program, text, given string) string {
	known := map[string]bool{}
	for _, n := range numbersOf(given) {
		known[n.before+" "+n.value], known[n.value+" "+n.after] = true, true
	}
	for _, n := range numbersOf(strings.Join(sizesForm.FindAllString(p.Text, -1), "\n")) {
		s.numbers[n.value] = true
	}
	for _, sentence := range sentenceEnd.Split(lessOne.ReplaceAllString(text, ""), -1) {
		if !ofProgram.MatchString(sentence) {
			continue // it is about how a GPU works
		}
		for _, n := range numbersOf(elementForm.ReplaceAllString(quotedForm.ReplaceAllString(sentence, "x"), "x")) {
			if !s.numbers[n.value] && !known[n.before+" "+n.value] && !known[n.value+" "+n.after] {
				return n.said
			}
		}
	}
	return ""
}

// A statement is what facts say, in words.
type statement struct {
	text           string
	lines          map[int]bool
	words, numbers map[string]bool
}

func statedBy(facts []fact) statement {
	s := statement{lines: map[int]bool{}}
	for _, f := range facts {
		s.lines[f.Line] = true
		for _, edit := range f.Edits {
			for line := edit.Line; line <= max(edit.Line, edit.Through); line++ {
				s.lines[line] = true
			}
		}
		s.text += strings.Join([]string{plainElement(f.Of), plainElement(f.Has), f.In, f.Case, f.is(), fmt.Sprint(f.Invocation, f.Workgroup)}, "\n") + "\n"
		if f.Round != 0 {
			s.text += fmt.Sprintln(f.Round)
		}
	}
	s.words, s.numbers = wordsIn(s.text), map[string]bool{"0": true} // where counting begins
	for _, n := range numbersOf(s.text) {
		s.numbers[n.value] = true
	}
	return s
}

// plainElement writes elements as people do: a[1] for a[ 1u ].
func plainElement(text string) string { return indexForm.ReplaceAllString(text, "[$1]") }

func wordsIn(text string) map[string]bool {
	all := map[string]bool{}
	for _, w := range nameForm.FindAllString(text, -1) {
		all[w] = true
	}
	return all
}

// A saidNumber is a number of a text, with the words beside it.
type saidNumber struct{ said, value, before, after string }

func numbersOf(text string) (all []saidNumber) {
	for _, at := range numberForm.FindAllStringIndex(text, -1) {
		said := strings.Fields(text[at[0]:at[1]])[0]
		n := saidNumber{said: said, value: plainNumber(said), after: strings.ToLower(nameForm.FindString(text[at[0]+len(said):]))}
		if before := nameForm.FindAllString(text[:at[0]], -1); before != nil {
			n.before = strings.ToLower(before[len(before)-1])
		}
		all = append(all, n)
	}
	return all
}

// plainNumber returns the number in digits.
func plainNumber(said string) string {
	said = strings.ToLower(strings.ReplaceAll(strings.Fields(said)[0], ",", ""))
	if said == "twice" {
		said = "two"
	}
	if n := slices.Index(numberWords, said); n >= 0 {
		return strconv.Itoa(n)
	}
	if n, err := strconv.ParseFloat(strings.TrimRight(said, "fuh"), 64); err == nil {
		return strconv.FormatFloat(n, 'g', -1, 64) // 255 is 255.0
	}
	return said
}
