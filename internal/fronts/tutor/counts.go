package tutor

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// numberWords are numbers as a text may say them.
var numberWords = strings.Fields("zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty")

var (
	number = `(\d+|` + strings.Join(numberWords, "|") + `|none|no|all|every|half|a\s+third|a\s+quarter)`
	total  = `(\d+|` + strings.Join(numberWords, "|") + `)`
	result = `(right|correct|fine|ok|match(?:es)?|work(?:s|ed)?|succeed(?:s|ed)?|pass(?:es|ed)?|wrong|incorrect|fail(?:s|ed|ing)?)`

	// "three of the eight cases are right", "three cases out of eight", "three of eight pass"
	countForm = regexp.MustCompile(`(?i)\b` + number + `\s+(?:(?:out\s+)?of\s+(?:(?:the|its|your|these|all)\s+)*(?:` + total + `\b\s*)?)?(cases?\b\s*)?(?:out\s+of\s+(?:the\s+)?` + total + `\b\s*)?([^.;]{0,25}?)\b` + result + `\b`)
	// "of the eight cases, three are right"
	ofForm = regexp.MustCompile(`(?i)\bof\s+(?:(?:the|its|your|all)\s+)*` + total + `\s+cases,?\s+(?:only\s+)?` + number + `\s+(?:is|are|come out)?\s*` + result + `\b`)
	// "you fail three of the eight cases"
	failForm   = regexp.MustCompile(`(?i)\b(pass|fail)(?:es|s|ed)?\s+(?:only\s+)?` + number + `\s+(?:of\s+(?:(?:the|its|your|all)\s+)*` + total + `\s+)?cases?\b`)
	rightForm  = regexp.MustCompile(`(?i)\b(?:your|the)\s+(?:shader|program|code)\s+(?:is|works|looks)\s+(?:now\s+)?(?:right|correct|fine|good|correctly)\b|\bpasses\s+(?:the check|every case|all)\b`)
	resultForm = regexp.MustCompile(`(?i)\b` + result + `\b`)

	// Words that make a part of the cases of them, and those that turn a result round.
	partForm = regexp.MustCompile(`(?i)\b(?:with|where|whose|that|which|of|above|below|for|in|when|from)\b`)
	notForm  = regexp.MustCompile(`(?i)\b(?:not|never)\b|n't\b`)
)

// A count is what a text says about the number of right cases.
type count struct {
	text    string
	of      string // "" if it isn't said
	number  string
	isWrong bool
}

// counts returns what a sentence says about the number of cases.
func counts(said string) (all []count) {
	for _, m := range ofForm.FindAllStringSubmatch(said, -1) {
		all = append(all, count{m[0], m[1], m[2], isWrong(m[3])})
	}
	said = ofForm.ReplaceAllString(said, "")
	for _, at := range countForm.FindAllStringSubmatchIndex(said, -1) {
		m := submatches(said, at)
		before := strings.ToLower(said[:at[0]])
		one := strings.EqualFold(m[1], "one") && strings.HasSuffix(strings.TrimSpace(before), "in") // "in one case" is an example
		if m[2]+m[3]+m[4] == "" || partForm.MatchString(m[5]) || one || supposing.MatchString(before) {
			continue
		}
		if m[3] == "" && m[4] == "" && !strings.Contains(said, "case") && !strings.HasPrefix(strings.ToLower(m[6]), "pass") {
			continue // "two of three values are right"
		}
		all = append(all, count{m[0], m[2] + m[4], m[1], isWrong(m[6]) != notForm.MatchString(m[5])})
	}
	for _, at := range failForm.FindAllStringSubmatchIndex(said, -1) {
		if m := submatches(said, at); !supposing.MatchString(said[:at[0]]) {
			all = append(all, count{m[0], m[3], m[2], isWrong(m[1])})
		}
	}
	return all
}

// submatches returns the texts of a match, "" for what didn't match.
func submatches(text string, at []int) (all []string) {
	for i := 0; i < len(at); i += 2 {
		if at[i] < 0 {
			all = append(all, "")
			continue
		}
		all = append(all, text[at[i]:at[i+1]])
	}
	return all
}

func isWrong(result string) bool {
	result = strings.ToLower(result)
	return result == "wrong" || result == "incorrect" || strings.HasPrefix(result, "fail")
}

// holds reports whether a count is that of an outcome.
func (c count) holds(o outcome) bool {
	counted := o.Right
	if c.isWrong {
		counted = o.Of - o.Right
	}
	if c.of != "" && numberOf(c.of) != o.Of {
		return false
	}
	switch word := strings.Join(strings.Fields(strings.ToLower(c.number)), " "); word {
	case "all", "every":
		return counted == o.Of
	case "half":
		return counted*2 == o.Of
	case "a third":
		return counted*3 == o.Of
	case "a quarter":
		return counted*4 == o.Of
	default:
		return counted == numberOf(word)
	}
}

// numberOf returns the number that a word or digits name; -1 if they name none.
func numberOf(word string) int {
	word = strings.ToLower(word)
	if word == "none" || word == "no" {
		return 0
	}
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	return slices.Index(numberWords, word)
}

// wrongCount finds numbers of cases, and results of a case, that the verdict contradicts.
func wrongCount(now *verdictAnswer, text string) (string, error) {
	o, err := outcomeOf(now)
	if err != nil {
		return "", err
	}
	for _, said := range sentencesOf(text) {
		for _, c := range counts(said.text) {
			if !c.holds(o) {
				return fmt.Sprintf("It says `%s`: %d of %d cases are right.", c.text, o.Right, o.Of), nil
			}
		}
		if at := rightForm.FindStringIndex(said.text); at != nil && !now.Right && !said.asked && !supposing.MatchString(said.text) {
			return "It says that the program is right, and it isn't. Let the check judge.", nil
		}
		if c := o.contradictedCase(said); c != "" {
			return fmt.Sprintf("It is wrong about the case `%s`. Look with examine first.", c), nil
		}
	}
	return "", nil
}

// contradictedCase returns the one case that a sentence names with a result, if it has another one.
func (o outcome) contradictedCase(said sentence) (name string) {
	results := resultForm.FindAllString(said.text, -1)
	if said.asked || len(results) != 1 || !strings.Contains(strings.ToLower(said.text), "case") || notForm.MatchString(said.text) || supposing.MatchString(said.text) {
		return ""
	}
	quoted := quotedForm.FindAllStringSubmatch(said.text, -1)
	if len(quoted) != 1 {
		return ""
	}
	for _, c := range o.Cases {
		if c.Name == quoted[0][1] && c.Pass == isWrong(results[0]) {
			return c.Name
		}
	}
	return ""
}
