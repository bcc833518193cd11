"""The settings of the clone's JupyterLab."""

import logging

from jupyter_server.serverapp import ServerApp

c = get_config()  # noqa: F821

c.ServerApp.answer_yes = True
c.ServerApp.jpserver_extensions = {
    "jupyter_lsp": False,
    "nbgrader.server_extensions.assignment_list": False,
    "nbgrader.server_extensions.course_list": False,
    "nbgrader.server_extensions.formgrader": False,
    "nbgrader.server_extensions.validate_assignment": False,
    "notebook": False,
    "notebook_shim": False,
}
c.MultiKernelManager.default_kernel_name = "gonb"
c.LabApp.news_url = None
c.LabApp.check_for_updates_class = "jupyterlab.handlers.announcements.NeverCheckForUpdate"
c.LabApp.custom_css = True


def is_for_the_learner(record):
    """Passes warnings, and the address if JupyterLab would show it nowhere else."""
    message = record.getMessage()
    if record.levelno < logging.WARNING:
        # JupyterLab repeats the address as a warning only if it has made up the token.
        return message.startswith("http") and not ServerApp.instance().identity_provider.token_generated
    # A notebook without outputs has nothing to trust, and JupyterLab warns about its own setting.
    return "is not trusted" not in message and "websocket_ping_timeout" not in message


c.Application.log_level = "WARN"
c.ServerApp.log_level = "INFO"  # the address
c.Application.logging_config = {
    "filters": {"learner": {"()": lambda: is_for_the_learner}},
    "handlers": {"console": {"filters": ["learner"]}},
}
