"""Runs a command at a terminal of its own and answers its prompts.

terminal.py PROMPT ANSWER [PROMPT ANSWER...] -- COMMAND...   Prints all that the terminal showed; exits as the command does.
"""

import os
import pty
import select
import signal
import sys

split = sys.argv.index("--")
script = list(zip(sys.argv[1:split:2], sys.argv[2:split:2]))
process, terminal = pty.fork()
if process == 0:
    # Whatever the shell ignores that started the tests.
    for number in signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGPIPE:
        signal.signal(number, signal.SIG_DFL)
    os.execvp(sys.argv[split + 1], sys.argv[split + 1 :])
shown = b""
unread = b""
while select.select([terminal], [], [], 20)[0]:
    try:
        piece = os.read(terminal, 4096)
    except OSError:
        break
    if not piece:
        break
    shown, unread = shown + piece, unread + piece
    if script and script[0][0].encode() in unread:
        os.write(terminal, script.pop(0)[1].encode() + b"\n")
        unread = b""
sys.stdout.write(shown.decode("utf-8", "replace").replace("\r\n", "\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
