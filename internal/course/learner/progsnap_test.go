package learner

import (
	"encoding/csv"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The data set has a row for each try and each turn, in order, and each row's code is in the table
// of code. It has no names.
func TestProgSnap2(t *testing.T) {
	dir, at := t.TempDir(), time.Date(2026, 11, 1, 10, 0, 0, 0, time.UTC)
	minute := func(n int) time.Time { return at.Add(time.Duration(n) * time.Minute) }
	for _, try := range []Try{
		{Time: minute(0), Exercise: "add", Shader: "// Ada\n\"a\", b", Diagnosis: "subtract", Message: "no"},
		{Time: minute(4), Exercise: "add", Shader: "b", Passed: true},
		{Time: minute(5), Exercise: "predict-race", Passed: true, Message: "a"},
		{Time: minute(1), Exercise: "add", Shader: "b", Passed: true}, // the clock was set back
	} {
		require.NoError(t, Record(dir, try))
	}
	require.NoError(t, Keep(dir, Turn{Time: minute(1), Exercise: "add", Who: Learner, Text: "I am Ada,\nand \"why\"?"}))
	require.NoError(t, Keep(dir, Turn{Time: minute(2), Exercise: "add", Who: Tutor, Level: "question", Text: "What?"}))
	require.NoError(t, Keep(dir, Turn{Time: minute(3), Exercise: "add", Who: Learner, Hint: 2}))
	require.NoError(t, Keep(dir, Turn{Time: minute(9), Exercise: "relu", Who: Tutor, Text: "Later.", Pasted: true}))

	files, err := ProgSnap2(dir, &Private{Names: []string{"Ada"}})
	require.NoError(t, err)
	read := func(name string) (rows []map[string]string) {
		all, err := csv.NewReader(strings.NewReader(string(files[name]))).ReadAll() // each row as long as the first
		require.NoError(t, err, name)
		for _, values := range all[1:] {
			row := map[string]string{}
			for i, column := range all[0] {
				row[column] = values[i]
			}
			rows = append(rows, row)
		}
		require.NotContains(t, string(files[name]), "Ada")
		return rows
	}
	code := map[string]string{}
	for _, row := range read("CodeStates/CodeStates.csv") {
		require.NotEmpty(t, row["Code"])
		code[row["CodeStateID"]] = row["Code"]
	}
	require.Len(t, code, 2)
	var said []string
	ids := map[string]bool{}
	for i, row := range read("MainTable.csv") {
		ids[row["EventID"]] = true
		require.Len(t, row["SubjectID"], 12)
		require.Equal(t, i+1, len(ids), "an id for each event")
		said = append(said, strings.Join([]string{row["EventType"], row["ProblemID"], row["AssignmentID"], row["Attempt"], row["Score"], code[row["CodeStateID"]]}, "|"))
		when, err := time.Parse("2006-01-02T15:04:05-0700", row["ClientTimestamp"]) // version 1.0 wants a zone
		require.NoError(t, err)
		require.Equal(t, at.Day(), when.Day())
		if row["EventType"] == "Intervention" {
			for _, needed := range []string{"EventInitiator", "InterventionCategory", "InterventionType", "InterventionMessage"} {
				require.NotEmpty(t, row[needed])
			}
		}
	}
	require.Equal(t, []string{
		"Submit|add|lesson-2|1|0|// …\n\"a\", b", "X-Message|add|lesson-2|||// …\n\"a\", b", "Intervention|add|lesson-2|||// …\n\"a\", b", "X-OpenHint|add|lesson-2|||// …\n\"a\", b",
		"Submit|add|lesson-2|2|1|b", "X-Answer|predict-race||1|1|", "Submit|add|lesson-2|3|1|b", "Intervention|relu|lesson-4|||",
	}, said)
	for _, name := range slices.Concat(progSnapColumns, said) { // the standard asks for a text about each own name
		if name, _, _ := strings.Cut(name, "|"); strings.HasPrefix(name, "X-") {
			require.Contains(t, string(files["README.md"]), name)
		}
	}
	about := read("DatasetMetadata.csv")
	require.Equal(t, map[string]string{"Property": "Version", "Value": "1.0"}, about[0])
	require.Equal(t, "Table", about[4]["Value"])
}
