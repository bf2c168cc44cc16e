# SPDX-License-Identifier: GPL-2.0-only
"""
Compare otlp with report, by OpenTelemetry's own description of the messages.
"""
from opentelemetry.proto.collector.profiles.v1development import profiles_service_pb2

SERVICE = profiles_service_pb2.ExportProfilesServiceRequest


class Message:
    """A message, and what its profiles refer to in the dictionary."""

    def __init__(self, path):
        self.request = SERVICE()
        with open(path, "rb") as file:
            self.request.ParseFromString(file.read())
        self.dictionary = self.request.dictionary

    def text(self, index):
        return self.dictionary.string_table[index]

    def profiles(self):
        for resource in self.request.resource_profiles:
            for scope in resource.scope_profiles:
                yield from scope.profiles

    def event(self, profile):
        return self.text(profile.sample_type.type_strindex)

    def stack(self, sample):
        """Return the names of the functions of a sample, innermost first."""
        locations = self.dictionary.stack_table[sample.stack_index].location_indices
        lines = [line for index in locations for line in self.dictionary.location_table[index].lines]
        return [self.text(self.dictionary.function_table[line.function_index].name_strindex)
                for line in lines]

    def attributes(self, sample):
        """Return the values of the attributes of a sample, by name."""
        values = {}
        for index in sample.attribute_indices:
            attribute = self.dictionary.attribute_table[index]
            value = attribute.value
            values[self.text(attribute.key_strindex)] = getattr(value, value.WhichOneof("value"))
        return values


def problems(message):
    """What OpenTelemetry's documents demand of a message."""
    dictionary = message.dictionary
    for table, _ in dictionary.DESCRIPTOR.fields_by_name.items():
        entries = getattr(dictionary, table)
        if not len(entries):
            yield f"{table} is empty"
        elif entries[0] != type(entries[0])():
            yield f"entry 0 of {table} is not the default"
    for profile in message.profiles():
        if not profile.period or not profile.period_type.type_strindex:
            yield "a profile has no period"
        for sample in profile.samples:
            times = sample.timestamps_unix_nano
            if times and len(times) != len(sample.values):
                yield "a sample has another number of times than of values"
            if not 0 < sample.stack_index < len(dictionary.stack_table):
                yield "a sample has no stack"


def check_otlp(compare, tool, recording, sums, output, has_names):
    message = Message(tool.export("otlp", recording, output))
    seen = dict.fromkeys(sums.events, 0)
    functions = {event: {} for event in sums.events}
    names = {event: {} for event in sums.events}
    compare.same("opentelemetry-proto, problems", sorted(set(problems(message))), [])
    for profile in message.profiles():
        event = message.event(profile)
        for sample in profile.samples:
            period = sum(sample.values)
            seen[event] += period
            function = message.stack(sample)[0]
            functions[event][function] = functions[event].get(function, 0) + period
            name = message.attributes(sample)["thread.name"]
            names[event][name] = names[event].get(name, 0) + period
    compare.same("opentelemetry-proto, periods", seen, sums.total("period"))
    for event in sums.events if has_names else ():
        compare.same(f"opentelemetry-proto, functions {event}", functions[event],
                     sums.by_function(event, "period"))
        compare.same(f"opentelemetry-proto, threads {event}", names[event],
                     sums.by_comm(event, "period"))
