package zoo

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/wgslab/wgslab/internal/course"
)

// labelsName is the table in a folder of labelled shaders: a line for each file, with tabs between
// its columns.
const labelsName = "labels.tsv"

var labelsHead = []string{"file", "exercise", "right|wrong", "kind", "mistake", "lines"}

// ReadLabelled returns the wrong shaders of a folder, as WriteLabelled writes it. Their diagnoses
// count: they were written by others.
func ReadLabelled(dir string) ([]Specimen, error) {
	file, err := os.Open(filepath.Join(dir, labelsName))
	if err != nil {
		return nil, fmt.Errorf("reading the labels: %w", err)
	}
	defer file.Close()
	table := csv.NewReader(file)
	table.Comma, table.LazyQuotes, table.FieldsPerRecord = '\t', true, len(labelsHead)
	rows, err := table.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", labelsName, err)
	}
	var all []Specimen
	for _, row := range rows {
		if row[2] != "wrong" {
			continue
		}
		s, err := labelled(dir, row)
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", row[0], labelsName, err)
		}
		all = append(all, s)
	}
	return all, nil
}

func labelled(dir string, row []string) (Specimen, error) {
	e, err := course.Find(row[1])
	if err != nil {
		return Specimen{}, fmt.Errorf("finding its exercise: %w", err)
	}
	if !filepath.IsLocal(row[0]) {
		return Specimen{}, fmt.Errorf("%q is outside of the folder", row[0])
	}
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(row[0])))
	if err != nil {
		return Specimen{}, fmt.Errorf("reading the shader: %w", err)
	}
	s := Specimen{Exercise: e, Name: row[0], Text: string(text), Kind: MistakeKind(row[3]), Mistake: row[4], Named: true}
	s.Lines, err = lineNumbers(row[5])
	return s, err
}

// lineNumbers reads numbers and ranges: "3, 7-9".
func lineNumbers(list string) (lines []int, err error) {
	for part := range strings.SplitSeq(strings.ReplaceAll(list, " ", ""), ",") {
		if part == "" || part == "-" {
			continue
		}
		first, last, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		to := from
		if err == nil && isRange {
			to, err = strconv.Atoi(last)
		}
		if err != nil || from < 1 || to < from || to-from > 1000 {
			return nil, fmt.Errorf("%q is no line and no range of lines", part)
		}
		for line := from; line <= to; line++ {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// about describes a folder of labelled shaders.
const about = `# Wrong shaders with the lines that are wrong

- shaders/: WGSL shaders, each with a mistake. All of them compile unless the mistake is that they don't.
- tasks/: what the shaders of an exercise have to do, and the given declarations.
- labels.tsv: a line for each shader, with tabs between the columns: file, exercise, "wrong", kind of mistake, the mistake in words, and the true
  lines. "7-8" are the lines from 7 to 8. Where a statement is missing, the lines on both sides are true. Without lines, the mistake is in more
  than two places, and nobody noted which are wrong.

A tool that finds the line of a mistake gets a shader, and perhaps its task, and lists lines, the likeliest first. The first true line counts.

Licence: Apache-2.0, as for all of wgslab.
`

// WriteLabelled writes shaders, their tasks and their true lines to a new folder.
func WriteLabelled(dir string, all []Specimen) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s isn't empty: name a new folder", dir)
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking into the folder: %w", err)
	}
	var table strings.Builder
	row := func(cells ...string) {
		for i, cell := range cells {
			cells[i] = strings.Join(strings.Fields(cell), " ")
		}
		table.WriteString(strings.Join(cells, "\t") + "\n")
	}
	row(labelsHead...)
	files := map[string]string{"README.md": about}
	for _, s := range all {
		name := path.Join("shaders", s.Exercise.ID, path.Base(s.Name))
		var lines []string
		for _, line := range s.Lines {
			lines = append(lines, strconv.Itoa(line))
		}
		row(name, s.Exercise.ID, "wrong", string(s.Kind), s.Mistake, strings.Join(lines, ","))
		files[name] = s.Text
		task, err := taskOf(s.Exercise)
		if err != nil {
			return err
		}
		files[path.Join("tasks", s.Exercise.ID+".md")] = task
	}
	files[labelsName] = table.String()
	for name, text := range files {
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return fmt.Errorf("making the folder: %w", err)
		}
		if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
			return fmt.Errorf("writing the data: %w", err)
		}
	}
	return nil
}

// taskOf returns what a shader of an exercise has to do, as Markdown.
func taskOf(e *course.Exercise) (string, error) {
	given, err := e.Skeleton()
	if err != nil {
		return "", fmt.Errorf("reading the skeleton of %s: %w", e.ID, err)
	}
	return fmt.Sprintf("# %s\n\n%s\n\nGiven:\n\n```wgsl\n%s\n```\n", e.Title, e.Task, strings.TrimSpace(given)), nil
}
