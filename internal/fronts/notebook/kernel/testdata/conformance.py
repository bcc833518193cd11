"""Holds a kernel to jupyter_kernel_test, Jupyter's own tests for kernels.

Usage: conformance.py FOLDER-OF-THE-PACKAGE KERNEL
"""
import sys
import unittest

folder, kernel = sys.argv[1:]
sys.path.insert(0, folder)
import jupyter_kernel_test as jkt  # noqa: E402

SHOWS = '%noautoget\nimport "github.com/janpfeifer/gonb/gonbui"\n%%\ngonbui.DisplayHTML("<b>bold</b>")\ngonbui.Sync()'


class Kernel(jkt.KernelTests):
    kernel_name = kernel
    language_name = "go"
    file_extension = ".go"
    code_hello_world = '%%\nfmt.Println("hello, world")'
    code_stderr = '%%\nfmt.Fprintln(os.Stderr, "oops")'
    completion_samples = [{"text": "%%say re", "matches": ["result"]}]
    complete_code_samples = ["x := 1", "%%\nfmt.Println(1)", "func f() {\n}", "%%writefile a.wgsl\nfn main() {}"]
    incomplete_code_samples = ["func f(", "x :=", "s := `raw", "%%writefile a.wgsl"]
    invalid_code_samples = ["}", 's := "never ends']
    code_generate_error = "%%writefile /dev/null/no.wgsl\n"
    code_execute_result = [{"code": "%%say result", "result": "2"}]
    code_display_data = [{"code": SHOWS, "mime": "text/html"}, {"code": "%%say display", "mime": "text/plain"}]
    code_history_pattern = "%%say r*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "fmt.Println"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # GoNB's first help takes longer than the tests wait: its language server
        # reads the modules.
        for _ in range(5):
            asked = cls.kc.complete("fmt.Pri")
            while (reply := cls.kc.get_shell_msg(timeout=60))["parent_header"]["msg_id"] != asked:
                pass
            if reply["content"]["status"] == "ok":
                break


class Welcome(jkt.IopubWelcomeTests):
    kernel_name = kernel
    support_iopub_welcome = True


unittest.main(argv=sys.argv[:1], verbosity=2)
