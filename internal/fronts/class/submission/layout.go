package submission

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/wgslab/wgslab/internal/course"
	"golang.org/x/text/unicode/norm"
)

// An identity is what a name says about the student.
type identity struct {
	system system
	name   string
	id     string // what tells students of one name apart: a system's number, or the folder; may be ""
}

func plain(name string) identity { return identity{name: norm.NFC.String(name)} }

// A system is the source of a name. Students of different systems are always different, so that a
// student cannot hand in under a name from another system.
type system string

const (
	canvas      system = "canvas"
	moodle      system = "moodle"
	blackboard  system = "blackboard"
	brightspace system = "brightspace"
)

// perDownload reports whether the system's ids change with every download. Such an id
// distinguishes students of the same name, but cannot recognise a student later.
func (s system) perDownload() bool { return s == moodle || s == brightspace }

// A turn says which of a student's files is the latest, as far as a course system's name tells.
type turn struct {
	attempt string // a time as "2006-01-02-15-04-05", or ""
	upload  string // a number that grows with each upload, or ""
}

func (t turn) compare(other turn) int {
	if c := strings.Compare(t.attempt, other.attempt); c != 0 {
		return c
	}
	return compareNumbers(t.upload, other.upload)
}

// A format is how a course system writes the names in a bulk download. In its pattern, own is what
// the system writes; after that the student's own file name follows, which may imitate any format.
// The groups inside own are the student's name and number, and of which turn a file is.
type format struct {
	system  system
	pattern *regexp.Regexp
}

// The formats, the most specific first.
var (
	// Brightspace: the folder "12345-67890 - Jane Doe - Mar 1, 2024 1020 AM", or the same as a
	// prefix of the file's name.
	brightspaceName = format{brightspace, regexp.MustCompile(
		`^(?P<own>(?P<id>\d+-\d+) - (?P<name>.+?) - ` +
			`(?P<day>[A-Z][a-z]{2} \d{1,2}, \d{4}) (?P<hour>\d{1,2})(?P<minute>\d\d [AP]M))(?: - |\.|$)`)}
	// Moodle: the folder "Jane Doe_123456_assignsubmission_file", possibly with a final "_", or
	// the same as a prefix of the file's name; a team may have no number.
	moodleName = format{moodle, regexp.MustCompile(
		`^(?P<own>(?P<name>.+?)(?:_(?P<id>\d+))?)_assignsubmission_[a-z]+(?:_|$)`)}
	// Blackboard: Lab 2_jdoe3_attempt_2024-03-01-10-20-30_02-add.ipynb, together with a .txt that
	// says who and when. Assignments and students may have a "_" in their names; see nameStudents.
	blackboardFile = format{blackboard, regexp.MustCompile(
		`^(?P<own>(?P<name>.+?_[^_]+?))_attempt_(?P<attempt>\d{4}(?:-\d\d){5})[_.]`)}
	// Canvas: doejane_LATE_12345_678910_02-add.ipynb, with the numbers of the student and the
	// upload; with anonymous grading anon_Ab1cD_678910_02-add.ipynb.
	canvasUnnamed = format{canvas, regexp.MustCompile(
		`^(?P<own>(?:(?i:late)_)?(?P<name>anon_[A-Za-z0-9]+)_(?P<upload>[1-9]\d{2,}))_.`)}
	canvasFile = format{canvas, regexp.MustCompile(
		`^(?P<own>(?P<name>[\p{L}\p{M}\p{N}_]+?)_(?:(?i:late)_)?` +
			`(?P<id>[1-9]\d+)_(?P<upload>[1-9]\d{2,}))_.`)}

	fileFormats   = []format{brightspaceName, moodleName, blackboardFile, canvasUnnamed, canvasFile}
	folderFormats = []format{brightspaceName, moodleName}
)

// read parses a name. own is the length of the system's part of it, or 0 if it isn't in the format.
func (f format) read(name string) (who identity, when turn, own int) {
	m := f.pattern.FindStringSubmatch(name)
	if m == nil {
		return identity{}, turn{}, 0
	}
	group := func(name string) string {
		if i := f.pattern.SubexpIndex(name); i >= 0 {
			return m[i]
		}
		return ""
	}
	who = identity{f.system, norm.NFC.String(group("name")), group("id")}
	when = turn{group("attempt"), group("upload")}
	if day := group("day"); day != "" {
		if at, err := time.Parse("Jan 2, 2006 3:04 PM", day+" "+group("hour")+":"+group("minute")); err == nil {
			when.attempt = at.Format("2006-01-02-15-04-05")
		}
	}
	return who, when, len(group("own"))
}

// readFirst parses a name in the format whose system wrote the least of it. The student chose what
// comes after that, so it must not decide. Of equal ones, the most specific counts.
func readFirst(formats []format, name string) (who identity, when turn, ok bool) {
	least := len(name) + 1
	for _, f := range formats {
		if w, t, own := f.read(name); own > 0 && own < least {
			who, when, least = w, t, own
		}
	}
	return who, when, least <= len(name)
}

// fileOf parses the name of a file in a course system's format.
func fileOf(name string) (who identity, when turn, ok bool) {
	return readFirst(fileFormats, name)
}

// folderOf parses the name of a folder in a course system's format.
func folderOf(name string) (who identity, when turn, ok bool) {
	return readFirst(folderFormats, name)
}

// copyMark matches the suffix that browsers, Jupyter and course systems give another copy.
var copyMark = regexp.MustCompile(`(?i)([ _-]*\(\d+\)|-\d+|-copy\d*)+$`)

// ofTheCourse reports whether a notebook is named like one of the course's, so that its name says
// nothing about its student.
func ofTheCourse(name string) bool {
	name = copyMark.ReplaceAllString(stem(name), "")
	return slices.ContainsFunc(course.AllLessons(), func(l course.Lesson) bool { return strings.EqualFold(l.Name(), name) })
}

const submitted = "submitted" // nbgrader's folder of submissions

// underSubmitted finds the student in one of nbgrader's paths,
// …/submitted/STUDENT[/ASSIGNMENT[/NOTEBOOK.ipynb]], as the index of a part; it returns 0 if
// there is none.
func underSubmitted(parts []string, isFolder bool) int {
	for below := 1; below <= 3 && below < len(parts); below++ {
		if parts[len(parts)-1-below] == submitted && isFolder == (below < 3) {
			return len(parts) - below
		}
	}
	return 0
}

// bulk reports whether everything in a folder or zip has a name from a course system.
func bulk(things []thing) bool {
	for _, t := range things {
		if _, _, ok := t.outer(); !ok {
			return false
		}
	}
	return len(things) > 0
}

// outer parses the outermost name of a thing in a course system's format.
func (t thing) outer() (identity, turn, bool) {
	if t.inFolder() {
		return folderOf(t.path[0])
	}
	return fileOf(t.path[0])
}

// inFolder reports whether the outermost name is that of a folder.
func (t thing) inFolder() bool { return len(t.path) > 1 || t.kind == folder }

// unwrap removes a folder that holds everything and is not a student's: zips are often made from a
// folder. The folder is not a student's if it has the zip's name, or if it contains several
// folders or zips, or names from course systems.
func unwrap(name string, things []thing) []thing {
	for range 2 {
		inner, top := throughTop(things)
		if inner == nil {
			return things
		}
		if _, _, system := folderOf(top); system {
			return things
		}
		if top == submitted {
			return inner
		}
		if name == submitted || !strings.EqualFold(top, name) && !bulk(inner) && !severalHolders(inner) {
			return things
		}
		things = inner
	}
	return things
}

// throughTop removes the outermost folder from every path; it returns nil if there is not exactly
// one.
func throughTop(things []thing) (inner []thing, top string) {
	for i, t := range things {
		if !t.inFolder() || i > 0 && t.path[0] != top {
			return nil, ""
		}
		top = t.path[0]
		if len(t.path) > 1 {
			t.path = t.path[1:]
			inner = append(inner, t)
		}
	}
	return inner, top
}

// severalHolders reports whether there are at least two folders or zips at the top level.
func severalHolders(things []thing) bool {
	first := ""
	for _, t := range things {
		if !t.inFolder() && t.kind != archive {
			continue
		}
		if first != "" && t.path[0] != first {
			return true
		}
		first = t.path[0]
	}
	return false
}

// isOwn reports whether a folder or zip belongs to one student: it contains notebooks of the
// course, and fewer than two things that could be students'.
func isOwn(things []thing) bool {
	course, others := false, map[string]bool{}
	for _, t := range things {
		if _, _, system := t.outer(); system {
			return false
		}
		switch loose := len(t.path) == 1; {
		case t.kind == workFile && len(t.path) == 2:
			course = true
		case t.kind != notebookFile && t.kind != archive:
		case loose && t.kind == notebookFile && ofTheCourse(t.path[0]):
			course = true
		default:
			others[t.path[0]] = true
		}
	}
	return course && len(others) < 2
}

// belowSubmitted keeps only the contents of nbgrader's folder, if there is one: in the folder of a
// whole course, it holds what the students handed in.
func belowSubmitted(things []thing) []thing {
	var inner []thing
	for _, t := range things {
		if t.path[0] == submitted && len(t.path) > 1 {
			t.path = t.path[1:]
			inner = append(inner, t)
		}
	}
	if inner == nil {
		return things
	}
	return inner
}

// owner returns the student who handed in the thing. The name is that of the class's folder or
// zip.
func (t thing) owner(name string) (identity, turn) {
	if who, when, ok := t.outer(); ok {
		return who, when
	}
	switch {
	case t.inFolder():
		return plain(t.path[0]), turn{}
	case isNotebook(t.path[0]) && ofTheCourse(t.path[0]):
		return plain(name), turn{}
	case kindOf(t.path[0]) == other:
		return plain(t.path[0]), turn{}
	}
	return plain(stem(t.path[0])), turn{}
}
