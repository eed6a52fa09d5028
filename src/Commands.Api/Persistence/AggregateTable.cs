using Microsoft.EntityFrameworkCore;
using Microsoft.EntityFrameworkCore.Metadata.Builders;

namespace ApexShop.Commands.Api.Persistence;

/// <summary>The common mapping of the tables of all aggregates.</summary>
internal static class AggregateTable
{
    public static void IsAggregate<T>(this EntityTypeBuilder<T> entity, string table, string ids)
        where T : class
    {
        entity.ToTable(table, t => t.HasCheckConstraint($"{table}_version_check", "version >= 1"));
        // HiLo assigns the id before the insert, since the event of the creation contains it.
        entity.Property<int>("Id").UseHiLo(ids, ShopDbContext.Schema);
        entity.Property<long>("Version").IsConcurrencyToken();
    }
}
