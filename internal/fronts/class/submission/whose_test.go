package submission

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// After a course system's part of a name follows the student's own file name. It may look like the
// name of another system's file, or of the same system's.
func TestStudentsOwnFileNames(t *testing.T) {
	const (
		fromBlackboard  = "HW_jdoe_attempt_2024-03-01-10-20-30_x.ipynb"
		fromCanvas      = "doejane_12345_678910_x.ipynb"
		fromMoodle      = "Jane Doe_101_assignsubmission_file_x.ipynb"
		fromBrightspace = "12345-67890 - Jane Doe - Mar 1, 2024 1020 AM - x.ipynb"
	)
	own := []string{fromBlackboard, fromCanvas, fromMoodle, fromBrightspace, "x.ipynb"}
	for prefix, want := range map[string]identity{
		"Roe_12_assignsubmission_file_":                             {moodle, "Roe", "12"},
		"Team_7_assignsubmission_file_":                             {moodle, "Team", "7"},
		"Team B_assignsubmission_file_":                             {moodle, "Team B", ""},
		"Group_12_345_assignsubmission_file_":                       {moodle, "Group_12", "345"},
		"roejane_123_456_HW_":                                       {canvas, "roejane", "123"},
		"roejane_LATE_123_456_":                                     {canvas, "roejane", "123"},
		"anon_Ab1cD_678915_":                                        {canvas, "anon_Ab1cD", ""},
		"Lab 2_roe_attempt_2024-03-01-10-20-30_":                    {blackboard, "Lab 2_roe", ""},
		"HW_12_34567_attempt_2024-03-01-10-20-30_":                  {blackboard, "HW_12_34567", ""},
		"123-456 - J. Roe - Mar 1, 2024 120 PM - ":                  {brightspace, "J. Roe", "123-456"},
		"Group_12_345_assignsubmission_file_assignsubmission_file_": {moodle, "Group_12", "345"},
	} {
		for _, name := range own {
			who, _, ok := fileOf(prefix + name)
			require.True(t, ok, prefix+name)
			require.Equal(t, want, who, prefix+name)
		}
	}
	for _, name := range []string{"x.ipynb", "my_attempt_2.ipynb", "jane_12_34.ipynb", "a - b - Mar 1, 2024.ipynb"} {
		_, _, ok := fileOf(name)
		require.False(t, ok, name)
	}
}

func TestImitatedNamesInADownload(t *testing.T) {
	nb := func(who string, ids ...string) []byte { return solved(t, who, ids...) }
	for name, c := range map[string]layout{
		"in Moodle's": {
			tree{
				"Roe_12_assignsubmission_file_HW_jdoe_attempt_2024-03-01-10-20-30_x.ipynb": nb("roe", "add"),
				"Roe_12_assignsubmission_file_04-relu.ipynb":                               nb("roe", "relu"),
				"J Doe_13_assignsubmission_file_02-add.ipynb":                              nb("doe", "add"),
			},
			nil, []string{"J Doe: add by doe", "Roe: add by roe, relu by roe"},
		},
		"in Canvas'": {
			tree{
				"roejane_123_456_HW_jdoe_attempt_2024-03-01-10-20-30_x.ipynb": nb("roe", "add"),
				"roejane_123_457_12-34 - J Doe - Mar 1, 2024 1020 AM.zip":     tree{"x.ipynb": nb("roe", "relu")}.zip(t),
				"jdoe_124_458_02-add.ipynb":                                   nb("doe", "add"),
			},
			nil, []string{"jdoe: add by doe", "roejane: add by roe, relu by roe"},
		},
		"in Brightspace's": {
			tree{
				"12-34 - Roe - Mar 1, 2024 1020 AM - HW_jdoe_attempt_2024-03-01-10-20-30_x.ipynb": nb("roe", "add"),
				"12-35 - Doe - Mar 1, 2024 1120 PM - Roe_12_assignsubmission_file_x.ipynb":        nb("doe", "add"),
			},
			nil, []string{"Doe: add by doe", "Roe: add by roe"},
		},
		"an assignment of Blackboard's with numbers": {
			tree{
				"HW_12_345_jdoe_attempt_2024-03-01-10-20-30_02-add.ipynb":  nb("doe", "add"),
				"HW_12_345_jdoe_attempt_2024-03-01-10-20-30_04-relu.ipynb": nb("doe", "relu"),
				"HW_12_345_roe_attempt_2024-03-01-10-20-30_02-add.ipynb":   nb("roe", "add"),
			},
			nil, []string{"jdoe: add by doe, relu by doe", "roe: add by roe"},
		},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, false) })
	}
}

// The same name in two folders never makes one student of two.
func TestSameNameInTwoFolders(t *testing.T) {
	nb := func(who string, ids ...string) []byte { return solved(t, who, ids...) }
	hw := func(who string) []byte { return tree{"02-add.ipynb": nb(who, "add")}.zip(t) }
	for name, c := range map[string]layout{
		"zips in folders of sections": {
			tree{"x/a/hw.zip": hw("a"), "x/b/hw.zip": hw("b"), "y/c/hw.zip": hw("c")},
			[]string{"*/*/hw.zip"}, []string{"a: add by a", "b: add by b", "c: add by c"},
		},
		"zips of namesakes in sections": {
			tree{"x/a/hw.zip": hw("xa"), "x/b/hw.zip": hw("xb"), "y/a/hw.zip": hw("ya")},
			[]string{"*/*/hw.zip"}, []string{"x - a: add by xa", "x - b: add by xb", "y - a: add by ya"},
		},
		"notebooks of the course in sections": {
			tree{"x/a/02-add.ipynb": nb("a", "add"), "x/b/02-add.ipynb": nb("b", "add"), "x/b/04-relu.ipynb": nb("b", "relu"), "y/c/04-relu.ipynb": nb("c", "relu")},
			[]string{"*/*/*.ipynb"}, []string{"a: add by a", "b: add by b, relu by b", "c: relu by c"},
		},
		"folders of namesakes": {
			tree{"a/x/02-add.ipynb": nb("ax", "add"), "b/x/02-add.ipynb": nb("bx", "add"), "a/y/02-add.ipynb": nb("y", "add")},
			[]string{"*/*"}, []string{"x (a): add by ax", "x (b): add by bx", "y: add by y"},
		},
		"notebooks and zips of namesakes": {
			tree{"a/x.ipynb": nb("ax", "add"), "b/x.zip": hw("bx"), "c/d/X.ipynb": nb("cx", "add")},
			[]string{"a/*", "b/*", "*/*/*.ipynb"}, []string{"x (a): add by ax", "x (b): add by bx", "X (c_d): add by cx"},
		},
		"a notebook and a zip in the same folder": {
			tree{"a/x.ipynb": nb("x", "relu"), "a/x.zip": hw("x"), "b/y.ipynb": nb("y", "add")},
			[]string{"*/*"}, []string{"x: add by x, relu by x", "y: add by y"},
		},
		"nbgrader's courses": {
			tree{
				"c1/submitted/ann/ps1/a.ipynb": nb("ann 1", "add"), "c1/submitted/ann/ps2/a.ipynb": nb("ann 1", "relu"),
				"c2/submitted/ann/ps1/a.ipynb": nb("ann 2", "add"),
			},
			[]string{"*/submitted/*/*"}, []string{"ann (c1): add by ann 1, relu by ann 1", "ann (c2): add by ann 2"},
		},
		"Moodle's namesakes by pattern": {
			tree{
				"Jane Doe_101_assignsubmission_file_/02-add.ipynb": nb("jane", "add"),
				"Jane Doe_102_assignsubmission_file_/02-add.ipynb": nb("joan", "add"),
			},
			[]string{"*"}, []string{"Jane Doe (101): add by jane", "Jane Doe (102): add by joan"},
		},
		"Moodle's two downloads by pattern": {
			tree{
				"w1/Jane Doe_101_assignsubmission_file_/02-add.ipynb":  nb("jane", "add"),
				"w2/Jane Doe_301_assignsubmission_file_/04-relu.ipynb": nb("jane", "relu"),
			},
			[]string{"w?/*"}, []string{"Jane Doe: add by jane, relu by jane"},
		},
	} {
		t.Run(name, func(t *testing.T) { c.check(t, false) })
	}
}
