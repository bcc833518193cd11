package learner

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
)

// This file writes the journal and the conversation as a data set in the form of ProgSnap2, version
// 1.0 (cssplice.org): a check is a Submit, and what a tutor said is an Intervention.

// progSnapColumns are those of the main table, in the standard's spelling; those of our own begin
// with X.
var progSnapColumns = []string{
	"EventID", "SubjectID", "EventType", "ToolInstances", "CodeStateID", "Order", "ClientTimestamp", "AssignmentID", "ProblemID",
	"Attempt", "Score", "EventInitiator", "InterventionCategory", "InterventionType", "InterventionMessage", "X-Diagnosis", "X-Message",
}

// ProgSnap2 returns the files of a data set about the learner, by their paths. It has no names: the
// subject is a number that is made from the first try, so that it stays the same.
func ProgSnap2(dir string, private *Private) (files map[string][]byte, err error) {
	tries, _, err := ReadJournal(dir)
	if err != nil {
		return nil, err
	}
	turns, _, err := ReadConversation(dir)
	if err != nil {
		return nil, err
	}
	subject := subjectOf(tries, turns)
	tries, turns = private.LeaveOut(tries, turns)
	main, states := &table{}, &table{}
	states.add("CodeStateID", "Code")
	main.add(progSnapColumns...)
	for i, e := range events(tries, turns) {
		if e.code != "" && states.isNew(e.state()) {
			states.add(e.state(), e.code)
		}
		e.columns["EventID"], e.columns["SubjectID"], e.columns["Order"] = fmt.Sprintf("%s-%d", subject, i+1), subject, strconv.Itoa(i+1)
		e.columns["ToolInstances"], e.columns["CodeStateID"] = "wgslab", e.state()
		e.columns["ClientTimestamp"] = e.at.UTC().Format("2006-01-02T15:04:05-0700")
		var row []string
		for _, column := range progSnapColumns {
			row = append(row, e.columns[column])
		}
		main.add(row...)
	}
	about := &table{}
	for _, property := range [][]string{
		{"Property", "Value"}, {"Version", "1.0"}, {"IsEventOrderingConsistent", "true"}, {"EventOrderScope", "Restricted"},
		{"EventOrderScopeColumns", "SubjectID"}, {"CodeStateRepresentation", "Table"},
	} {
		about.add(property...)
	}
	return map[string][]byte{
		"MainTable.csv": main.text.Bytes(), "DatasetMetadata.csv": about.text.Bytes(), "CodeStates/CodeStates.csv": states.text.Bytes(),
		"README.md": []byte(progSnapReadme),
	}, nil
}

// progSnapReadme describes what isn't in the standard, which asks data sets to do so.
const progSnapReadme = `# Tries at exercises of wgslab

The form is ProgSnap2 1.0 (cssplice.org). These names are our own:

- event X-Message: what the learner asked or told an AI tutor
- event X-OpenHint: the learner opened a hint of the lesson, whose number is in X-Message
- event X-Answer: an answer to a question of a lesson; Score says whether it was right
- column X-Message: the learner's words, or what the check said of a program
- column X-Diagnosis: the name of the mistake, if the check knows it
- InterventionType: how close to the code the tutor's words were (X-question, X-concept, X-place, X-near-code), or X-Pasted from another chat
`

// subjectOf returns a learner's number.
func subjectOf(tries []Try, turns []Turn) string {
	first := ""
	switch {
	case len(tries) > 0:
		first = tries[0].Time.String() + tries[0].Shader
	case len(turns) > 0:
		first = turns[0].Time.String() + turns[0].Text
	}
	return hashOf(first)
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}

// A table is a file of comma-separated values.
type table struct {
	text bytes.Buffer
	keys []string // the first of each row
}

func (t *table) add(row ...string) {
	w := csv.NewWriter(&t.text)
	_ = w.Write(row) // to memory
	w.Flush()
	t.keys = append(t.keys, row[0])
}

func (t *table) isNew(key string) bool { return !slices.Contains(t.keys, key) }

// An event is a row of the main table.
type event struct {
	at      time.Time
	code    string // the learner's, as it was then
	columns map[string]string
}

// state returns the number of the learner's code, "" if there was none yet.
func (e event) state() string {
	if e.code == "" {
		return ""
	}
	return hashOf(e.code)
}

// events returns what was tried and said, in order. The journal's lines stay in their order,
// whatever the clock said.
func events(tries []Try, turns []Turn) (all []event) {
	code, attempts := map[string]string{}, map[string]int{}
	add := func(at time.Time, id string, columns map[string]string) {
		columns["ProblemID"] = id
		if e, err := course.Find(id); err == nil {
			columns["AssignmentID"] = fmt.Sprintf("lesson-%d", e.Lesson)
		}
		all = append(all, event{at, code[id], columns})
	}
	said := func(t Turn) {
		if t.Hint > 0 {
			add(t.Time, t.Exercise, map[string]string{"EventType": "X-OpenHint", "X-Message": strconv.Itoa(t.Hint)})
			return
		}
		if t.Who != Tutor {
			add(t.Time, t.Exercise, map[string]string{"EventType": "X-Message", "X-Message": t.Text})
			return
		}
		add(t.Time, t.Exercise, map[string]string{
			"EventType": "Intervention", "EventInitiator": "UserDirectAction", "InterventionCategory": "Hint",
			"InterventionType": "X-" + cmp.Or(t.Level, "Pasted"), "InterventionMessage": t.Text,
		})
	}
	turns = slices.Clone(turns)
	for _, t := range tries {
		for len(turns) > 0 && turns[0].Time.Before(t.Time) {
			said(turns[0])
			turns = turns[1:]
		}
		if t.Shader != "" {
			code[t.Exercise] = t.Shader
		}
		attempts[t.Exercise]++
		columns := map[string]string{
			"EventType": "Submit", "Attempt": strconv.Itoa(attempts[t.Exercise]), "Score": "0", "X-Diagnosis": t.Diagnosis, "X-Message": t.Message,
		}
		if t.Passed {
			columns["Score"] = "1"
		}
		if _, err := course.Find(t.Exercise); err != nil {
			columns["EventType"] = "X-Answer" // to a question, or words about a lesson
		}
		add(t.Time, strings.TrimPrefix(t.Exercise, lineBefore), columns)
	}
	for _, t := range turns {
		said(t)
	}
	return all
}
