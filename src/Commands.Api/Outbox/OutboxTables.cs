using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Outbox;

/// <summary>
/// An event that is not in the log yet. The columns id and time, which the server sets, are not mapped: EF Core would
/// read them back, which made a creation a tenth slower.
/// </summary>
internal sealed class OutboxRow
{
    public required Guid EventId { get; init; }

    public required string Type { get; init; }

    public required string Resource { get; init; }

    public required int AggregateId { get; init; }

    public required long Version { get; init; }

    public string? TraceParent { get; init; }

    public string? Actor { get; init; }

    public required string Data { get; init; }
}

/// <summary>
/// An entry of the log; the sequencer writes it. Only the erasure of a person changes it, and only its data; an old one
/// may be removed.
/// </summary>
internal sealed class EventRow
{
    public long Position { get; init; }

    public long Previous { get; init; }

    public Guid EventId { get; init; }

    public required string Type { get; init; }

    public required string Resource { get; init; }

    public required int AggregateId { get; init; }

    public required long Version { get; init; }

    public DateTimeOffset Time { get; init; }

    public string? TraceParent { get; init; }

    public string? Actor { get; init; }

    public required string Data { get; init; }
}

/// <summary>The position of the log's head, of each resource's last entry, or of the last published entry.</summary>
internal sealed class LogPosition
{
    public required string Name { get; init; }

    public long Position { get; init; }
}

internal sealed class OutboxTable : IEntityTypeConfiguration<OutboxRow>
{
    public void Configure(EntityTypeBuilder<OutboxRow> row)
    {
        row.ToTable("outbox");
        row.HasKey(r => r.EventId);
        row.Property(r => r.EventId).ValueGeneratedNever();
        // json stores the text unchanged; jsonb would change 12.50 and the order of the members.
        row.Property(r => r.Data).HasColumnType("json");
    }
}

internal sealed class EventTable : IEntityTypeConfiguration<EventRow>
{
    public void Configure(EntityTypeBuilder<EventRow> row)
    {
        row.ToTable("events");
        row.HasKey(r => r.Position);
        row.Property(r => r.Position).ValueGeneratedNever();
        row.Property(r => r.Data).HasColumnType("json");
        row.HasIndex(r => new { r.Resource, r.Position });
        row.HasIndex(r => new { r.Type, r.Position });
        row.HasIndex(r => new { r.Resource, r.AggregateId, r.Position });
    }
}

internal sealed class LogPositionTable : IEntityTypeConfiguration<LogPosition>
{
    public void Configure(EntityTypeBuilder<LogPosition> position)
    {
        position.ToTable("log_positions");
        position.HasKey(p => p.Name);
    }
}
