using System.ComponentModel.DataAnnotations;
using ApexShop.Resources;

namespace ApexShop.Commands.Api.Operations.Checksums;

/// <summary>The name of one of the resources.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
internal sealed class ResourceNameAttribute() : AllowedValuesAttribute([.. Resource.Names]);
