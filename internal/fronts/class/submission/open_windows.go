package submission

// neitherFollowNorWait has no flags: a folder on Windows has no pipes, and walk leaves links out.
const neitherFollowNorWait = 0
