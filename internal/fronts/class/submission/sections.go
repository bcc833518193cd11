package submission

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// CollectSections reads a class that is divided into sections. Each folder or zip directly in one
// of the folders is a section, which Collect reads as a separate class. A student's name starts
// with the section's: "monday - ada". empty lists the sections without any hand-in.
//
// It fails as Collect does. It also fails if there is a notebook among the sections, since that is
// most likely a class without sections.
func CollectSections(ctx context.Context, folders []string) (all []Submission, empty []string, err error) {
	taken := map[string]bool{}
	for _, folder := range folders {
		sections, err := sectionsIn(folder)
		if err != nil {
			return nil, nil, err
		}
		for _, section := range sections {
			class, err := Collect(ctx, []string{section})
			if errors.Is(err, errNothing) {
				empty = append(empty, section)
				continue
			}
			if err != nil {
				return nil, nil, err
			}
			for _, s := range class {
				s.Student = nameInSection(section, s.Student, taken)
				all = append(all, s)
			}
		}
	}
	if len(all) == 0 {
		return nil, nil, fmt.Errorf("%w in the sections of %s", errNothing, strings.Join(folders, ", "))
	}
	return all, empty, nil
}

// sectionsIn lists the folders and zips directly in a folder, by name.
func sectionsIn(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("reading the sections: %w", err)
	}
	var sections []string
	for _, entry := range entries {
		path := filepath.Join(folder, entry.Name())
		switch {
		case skipped([]string{entry.Name()}):
		case entry.IsDir(), entry.Type().IsRegular() && isZip(entry.Name()):
			sections = append(sections, path)
		case isNotebook(entry.Name()):
			return nil, fmt.Errorf("%s is next to the sections: move it into its section, or grade without sections", path)
		}
	}
	if len(sections) == 0 {
		return nil, fmt.Errorf("there is no section in %s: put each section in a folder or zip of its own", folder)
	}
	slices.SortStableFunc(sections, func(a, b string) int { return compareNatural(filepath.Base(a), filepath.Base(b)) })
	return sections, nil
}

// nameInSection returns a unique name for a student, with the section's name in front.
func nameInSection(section, student string, taken map[string]bool) string {
	section = filepath.Base(section)
	if isZip(section) {
		section = stem(section)
	}
	bare := studentName(section + " - " + student)
	name := bare
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s (%d)", bare, n)
	}
	taken[strings.ToLower(name)] = true
	return name
}
