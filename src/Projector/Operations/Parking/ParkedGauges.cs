using System.Diagnostics.Metrics;
using ApexShop.Projector.Telemetry;
using ApexShop.Telemetry;
using Microsoft.Extensions.Options;
using Npgsql;

namespace ApexShop.Projector.Operations.Parking;

/// <summary>Meter <c>ApexShop.Projector</c>: parked events and dead letters, which wait for an operator.</summary>
internal sealed class ParkedGauges : GaugeSampler<ParkedCounts>
{
    private readonly NpgsqlDataSource database;

    public ParkedGauges(
        NpgsqlDataSource database,
        IMeterFactory meters,
        IOptions<TelemetryOptions> options,
        TimeProvider clock,
        ILogger<ParkedGauges> logger)
        : base(options, clock, logger)
    {
        this.database = database;
        var meter = meters.Create(ProjectorMeter.Name);
        meter.CreateObservableGauge(
            "apexshop.parked.events", () => Of(counts => counts.Events), "{event}", "Events that are parked now.");
        meter.CreateObservableGauge(
            "apexshop.parked.aggregates",
            () => Of(counts => counts.Aggregates),
            "{aggregate}",
            "Aggregates with parked events.");
        meter.CreateObservableGauge(
            "apexshop.dead_letters",
            () => Of(counts => counts.DeadLetters),
            "{message}",
            "Messages that could not be read.");
    }

    protected override async Task<ParkedCounts> SampleAsync(CancellationToken ct)
    {
        await using var command = database.CreateCommand($"SELECT {ParkedCounts.Columns}");
        await using var row = await command.ExecuteReaderAsync(ct);
        await row.ReadAsync(ct);
        return new(Aggregates: row.GetInt64(0), Events: row.GetInt64(1), DeadLetters: row.GetInt64(2));
    }
}

internal sealed record ParkedCounts(long Aggregates, long Events, long DeadLetters)
{
    /// <summary>
    /// More are not counted: one aggregate may have millions of events, and each reader would read them all.
    /// </summary>
    public const string Most = "100000";

    /// <summary>The columns of a SELECT.</summary>
    public const string Columns = $"""
        (SELECT count(DISTINCT (resource, aggregate_id)) FROM (
            SELECT resource, aggregate_id FROM read.parked_events LIMIT {Most}) AS parked),
        (SELECT count(*) FROM (SELECT FROM read.parked_events LIMIT {Most}) AS parked),
        (SELECT count(*) FROM (SELECT FROM read.dead_letters LIMIT {Most}) AS unread)
        """;
}
