# Settings of the Jupyter server that hold only in a container.
import os

from jupyter_server.serverapp import ServerApp

c = get_config()  # noqa: F821
c.ServerApp.ip = "0.0.0.0"  # the container's port is published, or it is not
c.ServerApp.open_browser = False
# Of the addresses that it prints only this one opens from outside. jupyter_server
# 2.21 adds the container's name whatever is set here, and a file of the container's.
c.ServerApp.custom_display_url = "http://127.0.0.1:8888"
ServerApp.connect_url = ServerApp.public_url
ServerApp.no_browser_open_file = True

# The file browser begins at the notebooks, where they are below the folder that
# the server shows.
lessons = os.path.expanduser("~/wgslab")
if os.path.isdir(lessons) and lessons.startswith(os.getcwd() + os.sep):
    c.FileContentsManager.preferred_dir = lessons
