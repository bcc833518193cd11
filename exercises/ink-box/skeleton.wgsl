// ink-box: left, top, right and bottom of the pixels above the threshold; box begins as
// 4294967295, 4294967295, 0, 0
// Your lines go here: all of them, from the struct of params to main.
