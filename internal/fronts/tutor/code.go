package tutor

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	lineForm   = regexp.MustCompile(`(?i)\blines?\s+(\d+(?:\s*(?:,|-|–|to|and|or|through)\s*\d+)*)`)
	numbers    = regexp.MustCompile(`\d+`)
	quotedForm = regexp.MustCompile("`([^`]+)`")
	lengthOf   = regexp.MustCompile(`(?i)\byour\s+` + total + `\s+lines\b`)
)

// wrongLine finds lines that aren't there.
func wrongLine(p program, text string) string {
	n := p.lines()
	for _, m := range lineForm.FindAllStringSubmatch(text, -1) {
		for _, number := range numbers.FindAllString(m[1], -1) {
			if line, err := strconv.Atoi(number); err != nil || line < 1 || line > n {
				if n == 0 {
					return fmt.Sprintf("It names line %s, and the learner has written nothing yet.", number)
				}
				return fmt.Sprintf("It names line %s: the learner's program has lines 1 to %d.", number, n)
			}
		}
	}
	if m := lengthOf.FindStringSubmatch(text); m != nil && numberOf(m[1]) != n {
		return fmt.Sprintf("It says `%s`: the learner's program has %d.", m[0], n)
	}
	return ""
}

var (
	// clauseEnd separates the clauses of a sentence that say one thing each.
	clauseEnd = regexp.MustCompile(`,\s+(?:(?:and|but|so|which|because)\s+)?|\s+(?:and|but|because|whereas)\s+`)
	// Clauses that don't say what is there: they ask, deny, compare or advise.
	saysNothing  = regexp.MustCompile(`(?i)\b(?:not|never|no|nothing|without|instead|rather|than|like|before|until|between|above|below|lacks?|misses|missing|forg[eo]t\w*|needs?|should|must|has\s+to|have\s+to|might|may|can|can't|cannot|want|expect\w*|try|value\s+of|at\s+line|become|same\s+as|similar)\b|n't\b`)
	asks         = regexp.MustCompile(`(?i)^(?:what|which|where|when|why|how|who|does|do|did|is|are|was|can|look|think|compare|remember|ask)\b`)
	ofYours      = regexp.MustCompile(`(?i)^(?:here\s+|there\s+|now\s+)?(?:you|your)\b|\bin your (?:shader|program|code)\b|\bis called\b`)
	attribute    = regexp.MustCompile("`?(@\\w+\\(\\d+\\))`?")
	factor       = regexp.MustCompile(`(?i)\b(?:factor|constant|number|multipl(?:y|ies) by|divides? by|adds?|subtracts?)\s+(\d+(?:\.\d+)?)\b`)
	constant     = regexp.MustCompile("`(\\w+)`,? is (\\d+(?:\\.\\d+)?)\\b")
	spaceOf      = regexp.MustCompile("`(\\w+)` (?:is|are) (?:in )?(?:a |the )?(storage|uniform|workgroup|private)\\b")
	groupForm    = regexp.MustCompile(`(?i)\b(?:your\s+(?:workgroups?|groups?)\s+(?:have|has|are|is|of)|(?:the|your)\s+workgroup\s+size\s+is)\s+` + total + `\b`)
	isForm       = regexp.MustCompile("`(\\w+)`,? (?:is|equals|comes from|is set to|(?:starts|begins) (?:at|as|with)) (?:the (?:constant |builtin )?)?`([^`]+)`")
	manyForm     = regexp.MustCompile(`(?i)\b(?:your (?:shader|program|file|code) (?:has|declares|contains)|there (?:is|are)|line \d+ (?:has|declares|contains)) (?:only |exactly )?` + total + ` (entry points?|bindings?|builtins?|barriers?|loops?)\b`)
	functionForm = regexp.MustCompile(`\bfn\s+(\w+)`)
	sizeForm     = regexp.MustCompile(`@workgroup_size\(([^)]*)\)`)
)

// kindsOfLine are what a sentence calls a line, and one of the words that such a line has.
var kindsOfLine = []struct{ said, has *regexp.Regexp }{
	{regexp.MustCompile(`(?i)\b(?:guard|condition) (?:(?:is|stands) )?(?:on|at|in) line (\d+)`), regexp.MustCompile(`\b(?:if|while|for|select)\b|&&|\|\|`)},
	{regexp.MustCompile(`(?i)\b(?:loops?|tree|reduction) (?:(?:is|starts?|begins?) )?(?:on|at|in) line (\d+)`), regexp.MustCompile(`\b(?:for|while|loop)\b`)},
	{regexp.MustCompile(`(?i)\bbarrier (?:is )?(?:on|at|in) line (\d+)`), regexp.MustCompile(`Barrier\b`)},
	{regexp.MustCompile(`(?i)\breturns? (?:is )?(?:on|at|in) line (\d+)`), regexp.MustCompile(`\breturn\b`)},
}

// things are what a sentence may count in a program.
var things = map[string]*regexp.Regexp{
	"entry point": regexp.MustCompile(`@compute\b`), "binding": regexp.MustCompile(`@binding\(`), "builtin": regexp.MustCompile(`@builtin\(`),
	"barrier": regexp.MustCompile(`Barrier\(`), "loop": regexp.MustCompile(`\b(?:for|while|loop)\b`),
}

// wrongCode finds code that isn't where a text says it is: on its line, or in the program.
func wrongCode(p program, text string) string {
	if p.Text == "" {
		return ""
	}
	functions := map[string]bool{}
	for _, m := range functionForm.FindAllStringSubmatch(p.Text, -1) {
		functions[m[1]] = true
	}
	for _, said := range sentencesOf(hideQuotes(text)) {
		if at := supposing.FindStringIndex(said.text); at != nil {
			said.text = said.text[:at[0]]
		}
		for _, clause := range clauseEnd.Split(said.text, -1) {
			clause = strings.TrimSpace(showQuotes(clause))
			bare := quotedForm.ReplaceAllString(clause, "``")
			if wrong := p.wrongKind(clause); wrong != "" {
				return wrong
			}
			if said.asked && asks.MatchString(clause) || saysNothing.MatchString(bare) || asks.MatchString(clause) {
				continue
			}
			if wrong := p.contradicts(clause, functions); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// hideQuotes takes what separates clauses out of quoted code.
func hideQuotes(text string) string {
	return quotedForm.ReplaceAllStringFunc(text, func(q string) string {
		return strings.Map(func(r rune) rune {
			if r == '`' {
				return r
			}
			return r + hidden
		}, q)
	})
}

// hidden moves the characters of quoted code to where no clause ends.
const hidden = 0xF0000

func showQuotes(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= hidden && r < hidden+hidden {
			return r - hidden
		}
		return r
	}, text)
}

// wrongKind finds a line that is called what it isn't, as in "the loop on line 3", whatever the
// clause says about it.
func (p program) wrongKind(clause string) string {
	for _, kind := range kindsOfLine {
		if m := kind.said.FindStringSubmatch(clause); m != nil {
			n, _ := strconv.Atoi(m[1]) // one of the lines, as wrongLine knows
			if line := strings.Split(p.Text, "\n")[n-1]; !kind.has.MatchString(line) {
				return fmt.Sprintf("It is wrong about line %d: the line is `%s`.", n, strings.TrimSpace(line))
			}
		}
	}
	return ""
}

// contradicts says what is wrong about a clause; "" if nothing is known to be. The lines of a
// function don't name it.
func (p program) contradicts(clause string, functions map[string]bool) string {
	lines := strings.Split(p.Text, "\n")
	where, place := lines, "the program"
	if m := lineForm.FindAllStringSubmatch(clause, -1); len(m) == 1 && numbers.FindString(m[0][1]) == m[0][1] {
		n, _ := strconv.Atoi(m[0][1]) // one of the lines, as wrongLine knows
		where, place = lines[n-1:n], m[0][0]
	} else if len(m) > 0 {
		return ""
	}
	var codes []string
	for _, form := range []*regexp.Regexp{quotedForm, attribute} {
		for _, m := range form.FindAllStringSubmatch(clause, -1) {
			if (elementForm.FindString(m[1]) != m[1] || place != "the program") && !functions[m[1]] {
				codes = append(codes, m[1])
			}
		}
	}
	if m := factor.FindStringSubmatch(clause); m != nil && place != "the program" {
		codes = append(codes, m[1])
	}
	isOn := place != "the program" && !strings.Contains(strings.ToLower(clause), "at line")
	isTwo := len(codes) > 1 && attribute.MatchString(clause)
	if (isOn || isTwo || ofYours.MatchString(clause)) && len(codes) > 0 && !haveTogether(where, codes) {
		said := fmt.Sprintf("It says that %s has `%s`", strings.ToLower(place), strings.Join(codes, "` and `"))
		if !isOn {
			return said + ", and no line has. Look at the program's text first."
		}
		return fmt.Sprintf("%s: the line is `%s`.", said, strings.TrimSpace(where[0]))
	}
	if m := spaceOf.FindStringSubmatch(clause); m != nil {
		declared := regexp.MustCompile(`var<(\w+)[^>]*>\s*` + regexp.QuoteMeta(m[1]) + `\b`).FindStringSubmatch(p.Text)
		if declared != nil && declared[1] != m[2] {
			return fmt.Sprintf("It says that `%s` is in %s, and it is in %s.", m[1], m[2], declared[1])
		}
	}
	if m := isForm.FindStringSubmatch(clause); m != nil && !p.isSet(m[1], m[2]) {
		return fmt.Sprintf("It says that `%s` is `%s`, and no line sets it to that.", m[1], m[2])
	}
	if m := constant.FindStringSubmatch(clause); m != nil && !p.isSet(m[1], m[2]) {
		return fmt.Sprintf("It says that `%s` is %s, and no line sets it to that.", m[1], m[2])
	}
	if m := manyForm.FindStringSubmatch(clause); m != nil {
		thing := strings.TrimSuffix(strings.ToLower(m[2]), "s")
		if n := len(things[thing].FindAllString(strings.Join(where, "\n"), -1)); numberOf(m[1]) != n {
			return fmt.Sprintf("It says `%s`: there are %d.", m[0], n)
		}
	}
	if m := groupForm.FindStringSubmatch(clause); m != nil {
		if size := p.workgroupSize(); size > 0 && numberOf(m[1]) != size {
			return fmt.Sprintf("It says `%s`: a workgroup has %d invocations.", m[0], size)
		}
	}
	return ""
}

// isSet reports whether a line that sets a variable has code. Another one is set elsewhere, and may
// have any value.
func (p program) isSet(name, code string) bool {
	sets := regexp.MustCompile(`\b(?:let|var|const|override)(?:<[^>]*>)?\s+` + regexp.QuoteMeta(name) + `\b[^=;]*=|^\s*` + regexp.QuoteMeta(name) + `\s*[-+*/%&|^]?=[^=]`)
	found := false
	for line := range strings.Lines(p.Text) {
		if !sets.MatchString(line) {
			continue
		}
		if found = true; hasCode(wordsOf(line), code) {
			return true
		}
	}
	return !found
}

// haveTogether reports whether one of the lines has all of the codes.
func haveTogether(lines, codes []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		has := wordsOf(line)
		return !slices.ContainsFunc(codes, func(code string) bool { return !hasCode(has, code) })
	})
}

// codeWord finds a name, a number or a sign in code.
var codeWord = regexp.MustCompile(`[A-Za-z_]\w*|(\d+(?:\.\d+)?(?:e[-+]?\d+)?)[iufh]?|<<=?|>>=?|[-+*/%&|^<>=!]=|&&|\|\||\+\+|--|->|\S`)

// wordsOf returns the words of code. Numbers have no suffix: 1 stands for 1u.
func wordsOf(code string) (all []string) {
	for _, m := range codeWord.FindAllStringSubmatch(code, -1) {
		all = append(all, cmp.Or(m[1], m[0]))
	}
	return all
}

// hasCode reports whether a line has code. Code of several lines, or with something left out, isn't
// looked for. An element that a text names by its number may have a variable for its index.
func hasCode(line []string, code string) bool {
	if strings.ContainsAny(code, "\n…") || strings.Contains(code, "...") {
		return true
	}
	words := wordsOf(strings.Trim(code, " ;"))
	for at := range line {
		if at+len(words) <= len(line) && slices.Equal(line[at:at+len(words)], words) {
			return true
		}
		indexed := at+2 < len(line) && line[at+1] == "[" && line[at] == words[0]
		if indexed && elementForm.FindString(code) == code && !numbers.MatchString(line[at+2]) {
			return true
		}
	}
	return len(words) == 0
}

// workgroupSize returns how many invocations a workgroup has; 0 if the text doesn't tell.
func (p program) workgroupSize() int {
	all := sizeForm.FindAllStringSubmatch(p.Text, -1)
	if len(all) != 1 {
		return 0
	}
	size := 1
	for part := range strings.SplitSeq(all[0][1], ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		if named := regexp.MustCompile(`const\s+` + regexp.QuoteMeta(part) + `\b[^=]*=\s*(\d+)`).FindStringSubmatch(p.Text); named != nil {
			part = named[1]
		}
		n, err := strconv.Atoi(strings.TrimRight(part, "ui"))
		if err != nil {
			return 0
		}
		size *= n
	}
	return size
}
