"""What is wrong in the contract, for a person."""

from __future__ import annotations


class ContractFault(Exception):
    """The contract is wrong."""

    def __str__(self) -> str:
        return f"{self.__doc__} {super().__str__()}"
