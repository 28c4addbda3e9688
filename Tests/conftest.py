"""What holds for every test here."""

from Support import signals

signals.pass_on_defaults()
