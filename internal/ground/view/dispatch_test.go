package view

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/wgslab/wgslab/internal/ground/english"
)

func TestDispatchSaysWhoIsIdle(t *testing.T) {
	text := views()["dispatch"].Text()
	require.Contains(t, text, "2 workgroups × 64 invocations = 128 for 100 elements; 28 are idle")
	require.Contains(t, text, "elements 64 to 99 (28 idle)")
	html := string(views()["dispatch"].HTML())
	require.Contains(t, html, `title="invocation 35: element 99"`)
	require.Contains(t, html, `title="invocation 36: idle, there is no element 100"`)
	require.Equal(t, 28, strings.Count(html, "dashed"))
}

func TestDispatchSaysWhatNobodyTouches(t *testing.T) {
	view := views()["dispatch, too few"]
	require.Contains(t, view.Text(), "No invocation touches 1 element (64).")
	require.Contains(t, string(view.HTML()), "No invocation touches 1 element")
}

func TestDispatchLeavesOutTheMiddleButShowsTheEnd(t *testing.T) {
	for _, form := range []string{string(views()["dispatch, elided"].HTML()), views()["dispatch, elided"].Text()} {
		require.Contains(t, form, "workgroup 0")
		require.Contains(t, form, "92 more")
		require.Contains(t, form, "workgroup 99")
		require.NotContains(t, form, "workgroup 50")
	}
	html := string(views()["dispatch, elided 2-D"].HTML())
	require.Contains(t, html, "7 more")
	require.Contains(t, html, "7 more rows of workgroups")
	require.Contains(t, html, "workgroup (8, 8)")
}

func TestDispatchPicturesAreHatchedWhereIdle(t *testing.T) {
	view := DispatchPicture{Workgroups: [2]int{2, 2}, Size: [2]int{16, 16}, Elements: [2]int{31, 32}}
	right := pictures(t, view)[1]
	busy, idle := right.At(4, 4), right.At(15*11+5, 4)
	require.Equal(t, workgroupColors[1], color.RGBAModel.Convert(busy))
	_, _, _, alpha := idle.RGBA()
	require.Zero(t, alpha, "between the stripes the page shines through")
}

// Every element is touched by exactly one invocation or reported, and every invocation is busy or
// idle. The test counts them one by one.
func TestDispatchCountsAreThoseOfARealDispatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pair := func(name string, high int) [2]int {
			return [2]int{rapid.IntRange(1, high).Draw(t, name+" x"), rapid.IntRange(1, high).Draw(t, name+" y")}
		}
		d := DispatchPicture{Workgroups: pair("workgroups", 4), Size: pair("size", 5), Elements: pair("elements", 25)}
		busy, idle := 0, 0
		for wy := range d.Workgroups[1] {
			for wx := range d.Workgroups[0] {
				for _, line := range d.cells(wx, wy) {
					for _, one := range line {
						if one.Idle {
							idle++
						} else {
							busy++
						}
					}
				}
			}
		}
		require.Equal(t, d.busy(), busy)
		require.Equal(t, d.Workgroups[0]*d.Workgroups[1]*d.Size[0]*d.Size[1], busy+idle)
		if missed := d.Elements[0]*d.Elements[1] - busy; missed > 0 {
			require.Contains(t, d.warning(), fmt.Sprintf("touches %s", english.Count(missed, "element", "elements")))
		} else {
			require.Empty(t, d.warning())
		}
	})
}
