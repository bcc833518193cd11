package submission

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// printable makes an untrusted name fit for a sentence: one line of printable characters, at most
// limit bytes. Bytes that are not UTF-8 become %XX.
func printable(name string, limit int) string {
	var out strings.Builder
	for len(name) > 0 {
		r, size := utf8.DecodeRuneInString(name)
		piece := name[:size]
		switch {
		case r == utf8.RuneError && size == 1:
			piece = fmt.Sprintf("%%%02X", name[0])
		case !unicode.IsPrint(r):
			piece = "_"
		}
		if out.Len()+len(piece) > limit {
			out.WriteString("…")
			break
		}
		out.WriteString(piece)
		name = name[size:]
	}
	return out.String()
}

const (
	maxShown   = 200 // bytes of a path in a sentence
	maxStudent = 120 // bytes of a student's name
)

// show formats a path in a hand-in for a sentence or a list.
func show(path []string) string { return printable(strings.Join(path, "/"), maxShown) }

var (
	unsafeInNames = strings.NewReplacer("/", "_", `\`, "_", ":", "_", "*", "_", "?", "_", `"`, "_", "<", "_", ">", "_", "|", "_", "&", "_", "%", "_")
	// deviceName matches the names that Windows keeps for its devices.
	deviceName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com\d|lpt\d)(\..*)?$`)
)

// studentName makes a name safe as a student's name: see Submission.Student.
func studentName(name string) string {
	name = strings.Join(strings.Fields(printable(norm.NFC.String(name), maxStudent)), " ")
	name = strings.TrimRight(unsafeInNames.Replace(name), ". ")
	switch {
	case name == "":
		return "unnamed"
	case strings.ContainsRune("=+-@.~", rune(name[0])), deviceName.MatchString(name):
		return "_" + name
	}
	return name
}

// tellApart gives every student a unique name, ignoring case. Equal names get a course system's id
// in brackets, or a number.
func tellApart(students []*student) {
	same := map[string]int{}
	for _, s := range students {
		s.name = studentName(s.who.name)
		same[strings.ToLower(s.name)]++
	}
	// The order of the paths must not decide who keeps the bare name.
	slices.SortFunc(students, func(a, b *student) int {
		return cmp.Or(cmp.Compare(a.who.system, b.who.system), cmp.Compare(a.who.name, b.who.name), cmp.Compare(a.who.id, b.who.id))
	})
	taken := map[string]bool{}
	for _, s := range students {
		bare := s.name
		if same[strings.ToLower(bare)] > 1 && s.who.id != "" {
			s.name = studentName(fmt.Sprintf("%s (%s)", bare, s.who.id))
		}
		for n := 2; taken[strings.ToLower(s.name)]; n++ {
			s.name = fmt.Sprintf("%s (%d)", bare, n)
		}
		taken[strings.ToLower(s.name)] = true
	}
	slices.SortFunc(students, func(a, b *student) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name)), cmp.Compare(a.name, b.name))
	})
}

// unicodeName decodes a name from a zip. Names that are not UTF-8 are in the code page that the
// zip specification (APPNOTE.TXT, appendix D) names.
func unicodeName(name string) string {
	if utf8.ValidString(name) {
		return name
	}
	decoded, err := charmap.CodePage437.NewDecoder().String(name)
	if err != nil {
		return name
	}
	return decoded
}

var driveLetter = regexp.MustCompile(`^[A-Za-z]:`)

// zipPath splits a name from a zip into its parts. If the name could only be malicious, trouble
// says why, and path is the safe part of it.
//
// Some zip programs on Windows write backslashes instead of slashes.
func zipPath(name string) (path []string, trouble string) {
	name = unicodeName(name)
	if len(name) > maxName {
		trouble = "has a name that is too long"
		name = name[:maxName]
	}
	slashed := strings.ReplaceAll(name, `\`, "/")
	switch {
	case strings.IndexFunc(name, unicode.IsControl) >= 0:
		trouble = "has control characters in its name"
	case strings.HasPrefix(slashed, "/"), driveLetter.MatchString(slashed):
		trouble = "names a place on the disk"
	}
	for part := range strings.SplitSeq(slashed, "/") {
		switch part {
		case "..":
			trouble = "leads out of the zip"
		case "", ".":
		default:
			path = append(path, part)
		}
	}
	if len(path) > maxDepth {
		return path[:maxDepth], "is in too many nested folders"
	}
	return path, trouble
}

// skipped reports whether a path is not part of the hand-in: files that Jupyter, macOS and version
// control leave behind.
func skipped(path []string) bool {
	return slices.ContainsFunc(path, func(part string) bool {
		return strings.HasPrefix(part, ".") || part == "__MACOSX"
	})
}

func hasExtension(name, extension string) bool { return strings.EqualFold(path.Ext(name), extension) }

func isNotebook(name string) bool { return hasExtension(name, ".ipynb") }

func isZip(name string) bool { return hasExtension(name, ".zip") }

func stem(name string) string { return strings.TrimSuffix(name, path.Ext(name)) }

// compareNatural orders names as people count: 2 before 10, and a bare name before the same name
// with a suffix, "02-add.ipynb" before "02-add-1.ipynb".
func compareNatural(a, b string) int {
	a, b = strings.ToLower(stem(a)), strings.ToLower(stem(b))
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			if c := compareNumbers(a[:na], b[:nb]); c != 0 {
				return c
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns the number of leading digits in a.
func digits(a string) int {
	return len(a) - len(strings.TrimLeft(a, "0123456789"))
}

// compareNumbers compares numbers of any length.
func compareNumbers(a, b string) int {
	a, b = strings.TrimLeft(a, "0"), strings.TrimLeft(b, "0")
	return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
}
